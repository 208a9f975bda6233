// A press that goes wrong as a compiler might: it hangs, takes all memory, waits, or dies; what else it is asked for it sets as `%PDF`, and `pid` as its process id.
process.on('message', ({ id, data }) => {
  if (data.title === 'hang') for (;;);
  if (data.title === 'grow') {
    const taken = [];
    for (;;) taken.push(Buffer.alloc(16 * 1024 * 1024, 1));
  }
  if (data.title === 'die') process.abort();
  if (data.title.startsWith('wait')) return void setTimeout(() => process.send({ id, pdf: Buffer.from(data.title) }), 1500);
  process.send({ id, pdf: Buffer.from(data.title === 'pid' ? String(process.pid) : '%PDF') });
});
process.send({ ready: true, isRoot: false });
process.on('disconnect', () => process.exit(0));
