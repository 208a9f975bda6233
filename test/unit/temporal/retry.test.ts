import { retryUntilStopped } from '../../../src/temporal/workers';
import { createLogger } from '../../../src/platform/logger';

const logger = createLogger('silent', 'test');
const never = new Promise<void>(() => undefined);

it('work that needs Temporal is repeated after a failure', async () => {
  let attempts = 0;
  const work = async (): Promise<string> => {
    attempts += 1;
    if (attempts === 1) throw new Error('unavailable');
    return 'done';
  };
  expect(await retryUntilStopped({ logger }, never, 'the work', work)).toBe('done');
  expect(attempts).toBe(2);
});

it('a lasting failure ends the repetition', async () => {
  const work = (): Promise<never> => Promise.reject(new Error('not allowed'));
  await expect(retryUntilStopped({ logger }, never, 'the work', work, () => false)).rejects.toThrow('not allowed');
});

it('the repetition ends with the process', async () => {
  let stop = (): void => undefined;
  const termination = new Promise<void>((resolve) => (stop = resolve));
  const fail = async (): Promise<string> => {
    stop();
    throw new Error('unavailable');
  };
  expect(await retryUntilStopped({ logger }, termination, 'the work', fail)).toBeNull();
});
