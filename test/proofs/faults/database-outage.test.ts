import { createDatabase } from '../../support/database';
import { useFixture } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { TcpProxy } from '../../support/tcp-proxy';
import { startOnTimeSkippingServer } from '../../service/workflows/environment';
import { aMilestone, OrderDriver, type OrderRef } from '../../service/workflows/order-driver';

const SECOND_MS = 1_000;
const TEN_MINUTES_MS = 600 * SECOND_MS;
const MAX_EVENTS = 150;

/** The server's clock is moved, so ten minutes are exact. Attempts fail in real time. */
describe('an order with a message that waits for the database', () => {
  const database = useFixture(createDatabase, (created) => created.drop());
  const line = useFixture(
    () => TcpProxy.to(new URL(database.url).host),
    (proxy) => proxy.close(),
  );
  const environment = useFixture(
    () => startOnTimeSkippingServer({ DATABASE_URL: Object.assign(new URL(database.url), { host: line.address }).href }),
    (started) => started.stop(),
  );
  const desk = useFixture(() => new OrderDriver(environment.service));
  afterEach(() => line.mend());

  const eventsOf = async (ref: OrderRef) => (await desk.handle(ref).fetchHistory()).events ?? [];
  /** An idle order, and the later growth of its history. */
  async function anOrderAtRest() {
    const ref = await desk.placeOrder();
    await desk.waitUntilIdle(ref);
    const known = (await eventsOf(ref)).length;
    return { ref, gained: async () => (await eventsOf(ref)).slice(known) };
  }
  const untilApplied = (ref: OrderRef) => waitFor('the message is applied', async () => (await desk.row(ref)).printed);

  it('gains at most 150 events in ten minutes without it, and applies the message afterwards', async () => {
    const { ref, gained } = await anOrderAtRest();
    line.cut();
    await desk.signal(ref, aMilestone('printed'));
    await environment.temporal.sleep(TEN_MINUTES_MS);
    const events = await gained();
    const waits = events.flatMap(({ timerStartedEventAttributes: timer }) =>
      timer ? [Number(timer.startToFireTimeout?.seconds) * SECOND_MS + Number(timer.startToFireTimeout?.nanos) / 1e6] : [],
    );
    // An attempt of a busy machine takes a part of the ten minutes.
    const [first, second, third, ...others] = waits.map(Math.round);
    expect([first, second, third]).toEqual([2_700, 8_100, 24_300]);
    expect(others.length).toBeGreaterThan(9);
    expect(new Set(others)).toEqual(new Set([30_000]));
    expect(events.length).toBeLessThanOrEqual(MAX_EVENTS);
    line.mend();
    await environment.temporal.sleep(30 * SECOND_MS);
    await untilApplied(ref);
  });

  it('has no workflow task heartbeated while its connections hang', async () => {
    const { ref, gained } = await anOrderAtRest();
    line.stall();
    await desk.signal(ref, aMilestone('printed'));
    await environment.temporal.sleep(90 * SECOND_MS);
    const events = await gained();
    const afterFirstWait = events.slice(events.findIndex((event) => event.timerStartedEventAttributes) + 1);
    const tasks = afterFirstWait.filter((event) => event.workflowTaskStartedEventAttributes);
    const waits = afterFirstWait.filter((event) => event.timerFiredEventAttributes);
    expect(tasks.length).toBeGreaterThanOrEqual(2);
    // A heartbeat for each wait would double the tasks. A pause of the machine can cause a single one.
    expect(tasks.length).toBeLessThan(1.5 * waits.length);
    line.cut(); // hung connections stay dead
    line.mend();
    await environment.temporal.sleep(30 * SECOND_MS);
    await untilApplied(ref);
  });
});
