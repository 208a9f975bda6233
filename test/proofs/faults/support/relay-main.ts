import { readFileSync } from 'node:fs';
import { loadConfig } from '../../../../src/config/config';
import { createDependencies } from '../../../../src/processes/dependencies';
import { Relay } from '../../../../src/relay/relay';
import { createWebhookSender } from '../../../../src/webhooks/send';

/**
 * Seconds by which this process's monotonic clock is ahead. With them a test skips the minute of a freeze. The clock runs at a twentieth of
 * its speed, so that prompt receivers do not look slow on a busy machine.
 */
const { MONOTONIC_AHEAD_FILE: file = '' } = process.env;
const machineNow = performance.now.bind(performance);
performance.now = () => machineNow() / 20 + Number(readFileSync(file, 'utf8')) * 1000;

/** A relay as a separate process, without the retry worker. It ends with its parent at the latest. */
async function main(): Promise<void> {
  const config = loadConfig();
  // No attempt times out before the test answers it.
  const webhookSender = createWebhookSender({ allowedOrigins: config.webhookAllowedOrigins, timeoutMs: 600_000 });
  const deps = await createDependencies(config, 'relay', { webhookSender });
  new Relay(deps).start();
  process.send?.('relaying');
}

process.once('disconnect', () => process.exit());
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
