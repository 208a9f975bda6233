import fc from 'fast-check';
import { startService, type TestService } from '../../support/service';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { Judge } from './support/judge';
import { anyPlan, type Plan } from './support/requests';
import { Sender, type Exchange } from './support/send';
import { Tally } from './support/tally';
import { createWorld } from './support/world';

const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 300);
/** Requests under way at a time. */
const LANES = 4;
/** Faults told; more help nobody. */
const MAX_REPORTED = 15;

describe(`${REQUESTS} requests made of the schemas, right ones and broken ones`, () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it(
    `give no 500 and leak nothing (FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS})`,
    async () => {
      const world = await createWorld(service, receiver);
      const [sender, judge, tally] = [new Sender(service, world), new Judge(service, world), new Tally()];
      const plans = fc.sample(anyPlan, { seed: SEED, numRuns: REQUESTS });
      const faults: string[] = [];
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let at = next++; at < plans.length && faults.length < MAX_REPORTED; at = next++) {
          const exchange = await sender
            .send(plans[at] as Plan)
            .catch((error: unknown): Exchange => ({ plan: plans[at] as Plan, sent: '', status: 0, headers: {}, text: String(error) }));
          tally.count(exchange);
          const found = exchange.status === 0 ? [`no answer: ${exchange.text}`] : judge.faults(exchange);
          if (found.length > 0) faults.push(report(at, exchange, found));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      sender.close();
      process.stdout.write(`\nFUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}\n${tally.table()}\n`);
      expect(faults.join('\n\n')).toBe('');
      expect(tally.shareOfSuccess()).toBeGreaterThan(0.25);
      // A fifth of a run suffices for some endpoint of forty to have had no luck.
      if (REQUESTS >= 5000) expect(tally.withoutSuccess()).toEqual([]);
    },
    30 * 60_000,
  );

  function report(at: number, { plan, sent, status, headers, text }: Exchange, found: string[]): string {
    const id = String(headers['service-request-id']);
    const logged = service.logLines
      .filter((line) => line.includes(id) && line.includes('internal error'))
      .map((line) => (JSON.parse(line) as { err: { stack?: string } }).err.stack);
    return [
      `request ${at}: ${found.join('; ')}`,
      `${plan.method} ${sent.slice(0, 1500)}`,
      `${status} ${text.slice(0, 1000)}`,
      ...logged,
    ].join('\n');
  }
});
