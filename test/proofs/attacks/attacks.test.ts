import { aKey, anAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { Stack } from '../faults/support/stack';
import { ATTACKS } from './support/attacks';
import { Bystander, type Experience } from './support/bystander';
import { CHECKS_TIMES, createWorld, type World } from './support/world';

const MIN_LIMIT_MS = 250;
const MAX_SLOWDOWN = 5;

interface Row {
  attack: string;
  quiet: Experience | null;
  attacked: Experience;
  answers: string;
}

/** A test key, a live key and an anonymous connection attack the service while another account reads its order. */
describe('attacks on the service', () => {
  const rows: Row[] = [];
  let stack: Stack;
  let world: World;
  let bystander: Bystander;
  beforeAll(async () => {
    stack = await Stack.create({ services: 'source', inspector: true, postgresSettings: { fsync: 'off' } });
    await stack.start();
    world = await createWorld(stack);
    const account = await anAccount(world.deps.database);
    const order = await anOrder(world.trade(account.testKey));
    const keys = await Promise.all(Array.from({ length: 20 }, () => aKey(world.deps.database, account.accountId)));
    bystander = new Bystander(`${stack.tradeUrl}/orders/${order.orderId}`, keys);
    await bystander.alone(); // the first requests load code and connect
  });
  afterAll(async () => {
    bystander?.close();
    process.stdout.write(formatTable(rows));
    await stack?.close();
  });

  it.each(ATTACKS)('$name does not delay responses to the other account', async ({ name, prepare, run, expected }) => {
    await prepare?.(world);
    const quiet = CHECKS_TIMES ? await bystander.alone() : null;
    const answers: string[] = [];
    const attacked = await bystander.during(async () => answers.push(await run(world)));
    rows.push({ attack: name, quiet, attacked, answers: answers[0] ?? '' });
    expect(attacked.failures).toEqual({});
    if (quiet !== null) expect(attacked.p95Ms).toBeLessThanOrEqual(Math.max(MAX_SLOWDOWN * quiet.p95Ms, MIN_LIMIT_MS));
    if (expected !== undefined) expect(new Set(answers)).toEqual(new Set([expected]));
    expect(stack.unexpectedExits).toEqual([]);
  });
});

function formatTable(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const figures = (experience: Experience | null): string =>
    experience === null ? 'not measured' : `${experience.medianMs} / ${experience.p95Ms} ms`;
  const failed = ({ failures }: Experience): string =>
    Object.entries(failures)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || 'none';
  return [
    line(['attack', 'quiet, median / p95', 'attacked', 'failures', 'answers to the attacker']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map(({ attack, quiet, attacked, answers }) => line([attack, figures(quiet), figures(attacked), failed(attacked), answers])),
  ].join('');
}
