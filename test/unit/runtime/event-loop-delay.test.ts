import { watchEventLoop } from '../../../src/runtime/event-loop-delay';

it('reports a late event loop after it was blocked', async () => {
  let isLate = false;
  const stop = watchEventLoop((late) => {
    isLate ||= late;
  });
  try {
    while (!isLate) {
      const end = performance.now() + 50;
      while (performance.now() < end);
      await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    stop();
  }
});
