import { once } from 'node:events';
import { MockActivityEnvironment } from '@temporalio/testing';
import { withHeartbeat } from '../../../activities/heartbeat';

describe('heartbeats of an activity', () => {
  it('continue until the activity ends or is cancelled', async () => {
    const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 50 });
    const working = environment.run(() =>
      withHeartbeat(async (stop) => {
        await once(stop, 'abort');
        stop.throwIfAborted();
      }),
    );
    for (let beats = 0; beats < 3; beats += 1) await once(environment, 'heartbeat');
    environment.cancel();
    await expect(working).rejects.toMatchObject({ name: 'CancelledFailure' });
  });

  it('are not sent if the activity has no heartbeat timeout', async () => {
    const environment = new MockActivityEnvironment();
    const beats: unknown[] = [];
    environment.on('heartbeat', (details) => beats.push(details));
    expect(await environment.run(() => withHeartbeat(() => Promise.resolve('done')))).toBe('done');
    expect(beats).toEqual([]);
  });
});
