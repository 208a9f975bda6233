import { execFileSync } from 'node:child_process';
import { builtFile } from '../../support/infrastructure';
import { Deadline } from '../../../src/runtime/deadline';

/** Nothing but a listener refers to the signal when the garbage is collected. The outer timer only ends a test that fails. */
const AFTER_COLLECTION = `
  const { Deadline } = require(process.argv[1]);
  const failed = setTimeout(() => { console.log('never'); process.exit(); }, 5000);
  const other = new AbortController();
  for (let index = 0; index < 2; index += 1)
    new Deadline([other.signal], index === 0 ? 50 : undefined).signal.addEventListener('abort', ({ target }) => {
      console.log(target.reason.name);
      if (index === 0) { globalThis.gc(); other.abort(Object.assign(new Error(), { name: 'Stopped' })); } else clearTimeout(failed);
    });
  globalThis.gc();
  setImmediate(() => globalThis.gc());`;

it('aborts after a full garbage collection: at its time, and with another signal', () => {
  const output = execFileSync(process.execPath, ['--expose-gc', '-e', AFTER_COLLECTION, builtFile('src', 'runtime', 'deadline.js')], {
    encoding: 'utf8',
  });
  expect(output.trim().split('\n')).toEqual(['TimeoutError', 'Stopped']);
});

it('aborts with the reason of a signal that has already aborted', () => {
  const reason = new Error('stopping');
  const deadline = new Deadline([new AbortController().signal, AbortSignal.abort(reason)], 60_000);
  expect(deadline.signal.reason).toBe(reason);
  deadline.release();
});

it('keeps no listener and no timer after its release', async () => {
  const controller = new AbortController();
  const deadline = new Deadline([controller.signal], 0);
  deadline.release();
  controller.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect(deadline.signal.aborted).toBe(false);
});
