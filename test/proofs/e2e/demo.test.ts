import { runDemoJob } from '../../../scripts/demo';
import { findFreePort } from '../../../scripts/start/ports';
import { startService } from '../../support/service';

it('the demo completes its job with the client package and receives every event', async () => {
  const receiverPort = await findFreePort();
  const service = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: `http://127.0.0.1:${receiverPort}` } });
  const said: string[] = [];
  try {
    await runDemoJob({
      tradeUrl: `http://127.0.0.1:${service.api.tradePort}/v1`,
      studioUrl: `http://127.0.0.1:${service.api.studioPort}/studio/v1`,
      adminToken: service.adminToken,
      receiverPort,
      printLine: (line) => void said.push(line),
    });
  } finally {
    await service.stop();
  }
  const text = said.join('\n');
  expect(text).toContain('dunes.png, ');
  expect(text).toContain('the client reads: shipped, Coastal Couriers CC-20041-AU');
  expect(text).toContain('→ 409 ORDER_NOT_CANCELLABLE');
  expect(said.filter((line) => line.includes('webhook, verified')).length).toBe(9);
  expect(said.filter((line) => line.includes('refused'))).toEqual([]);
  expect(said.at(-1)).toContain('The main job is complete.');
});

it('the demo gives instructions if the service does not respond', async () => {
  const nowhere = {
    tradeUrl: 'http://127.0.0.1:9/v1',
    studioUrl: 'http://127.0.0.1:9/studio/v1',
    adminToken: 'none',
    receiverPort: await findFreePort(),
    printLine: () => undefined,
  };
  await expect(runDemoJob(nowhere)).rejects.toThrow(/no response from .*start the service with npm start/);
});
