import { request as send } from 'undici';
import { rows } from '../../src/db/data-source';
import type { Dependencies } from '../../src/dependencies';
import { newId, newSecret } from '../../src/security/ids';
import { aKey, anAccount } from '../support/accounts';
import { aQuote } from '../support/baskets';
import { HttpClient } from '../support/client';
import { waitFor } from '../support/wait-for';
import { Stack } from './support/stack';

const LANES = 8;
const AWHILE_MS = 60_000;

/** One Idempotency-Key and what was heard for it. */
interface Attempt {
  apiKey: string;
  key: string;
  quoteId: string;
  status: number | null;
  text: string;
}

/** API and worker as processes of their own, told to stop while orders are being placed. */
describe('SIGTERM under load', () => {
  let stack: Stack;
  let deps: Dependencies;
  let accountId: string;
  let totalCents: number;
  let modelQuoteId: string;
  let attempts: Attempt[];
  let stopped: boolean;

  beforeAll(async () => {
    stack = await Stack.create({ services: 'source', postgresSettings: { fsync: 'off' }, env: { LOG_LEVEL: 'info' } });
    await stack.start();
    deps = await stack.dependencies();
  }, 120_000);
  beforeEach(async () => {
    ({ accountId } = await anAccount(deps.dataSource));
    ({ quoteId: modelQuoteId, totalCents } = await aQuote(new HttpClient(stack.tradeUrl, await aKey(deps.dataSource, accountId))));
    attempts = [];
    stopped = false;
  });
  afterAll(() => stack?.close(), 60_000);

  const sql = <T = any>(text: string, parameters: unknown[]) => rows<T>(deps.dataSource.manager, text, parameters);
  const answered = () => attempts.filter(({ status }) => status !== null);
  const unanswered = () => attempts.filter(({ status }) => status === null);

  /** A quote of its own and, so that no budget runs out, an API key of its own. */
  async function anAttempt(): Promise<Attempt> {
    const quoteId = newId('quo');
    await sql(`INSERT INTO quotes SELECT (jsonb_populate_record(q, jsonb_build_object('id', $2::text, 'consumed_at', NULL))).* FROM quotes q WHERE id = $1`, [modelQuoteId, quoteId]);
    const attempt = { apiKey: await aKey(deps.dataSource, accountId), key: newSecret(), quoteId, status: null, text: '' };
    attempts.push(attempt);
    return attempt;
  }

  /** One request. Nothing is heard where it was refused or reset; an answer that breaks off is an error of its own. */
  async function hear(attempt: Attempt): Promise<Attempt> {
    const reply = await send(`${stack.tradeUrl}/orders`, {
      method: 'POST', headers: { authorization: `Bearer ${attempt.apiKey}`, 'content-type': 'application/json', 'idempotency-key': attempt.key }, body: JSON.stringify({ quoteId: attempt.quoteId }),
    }).catch(() => null);
    if (reply === null) return { ...attempt, status: null, text: '' };
    const text = await reply.body.text();
    JSON.parse(text);
    return { ...attempt, status: reply.statusCode, text };
  }

  /** Orders one after the other in so many lanes, until `stopped`; a lane ends with what it hears no answer to. */
  const load = () => Promise.all(Array.from({ length: LANES }, async () => {
    while (!stopped) {
      const attempt = await anAttempt();
      Object.assign(attempt, await hear(attempt));
      if (attempt.status === null) return;
    }
  }));

  /** Until it is answered 201; a fault or a claim that still stands is asked again with the same key. */
  const insist = (attempt: Attempt) => waitFor(`201 for ${attempt.key}`, async () => {
    const heard = await hear(attempt);
    if (heard.status !== 201) expect([null, 500, 409]).toContain(heard.status);
    return heard.status === 201 && heard;
  }, AWHILE_MS);

  /** Whatever was answered 201 is one order with one invoice, and a repeat of it is the same bytes. */
  async function expectOneOrderEach(): Promise<void> {
    await Promise.all(attempts.map(async (attempt) => {
      const { text } = await insist(attempt);
      if (attempt.status === 201) expect(text).toBe(attempt.text);
    }));
    const [books] = await sql(`
      SELECT (SELECT count(*) FROM orders WHERE account_id = $1)::int AS orders, (SELECT count(DISTINCT quote_id) FROM orders WHERE account_id = $1)::int AS quotes,
        (SELECT count(*) FROM invoices WHERE account_id = $1)::int AS invoices, (SELECT count(DISTINCT order_id) FROM invoices WHERE account_id = $1)::int AS invoiced`, [accountId]);
    expect(books).toEqual({ orders: attempts.length, quotes: attempts.length, invoices: attempts.length, invoiced: attempts.length });
    const account = await new HttpClient(stack.studioUrl, stack.adminToken).get(`/accounts/${accountId}`);
    expect(account.json.data.test.outstandingCents).toBe(attempts.length * totalCents);
  }

  /** Lets every lane have an order in hand that cannot be finished, tells the part to stop, and then lets them finish. */
  async function stopWithOrdersInHand(part: 'api' | 'worker'): Promise<void> {
    const lock = deps.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE invoices IN SHARE MODE');
    await waitFor('an order in hand in every lane', async () => {
      const [claims] = await sql(`SELECT count(*)::int AS open FROM idempotency_records WHERE account_id = $1 AND state = 'claimed'`, [accountId]);
      return claims.open === LANES;
    }, AWHILE_MS);
    const stoppedBefore = stack.logOf(part).split('"stopping"').length;
    const end = stack.terminate(part);
    await waitFor(`the ${part} stops`, async () => stack.logOf(part).split('"stopping"').length > stoppedBefore);
    await lock.rollbackTransaction();
    await lock.release();
    expect(await end).toEqual({ code: 0, signal: null });
  }

  it('the API answers all that it has taken, takes nothing that it does not answer, and ends with 0', async () => {
    const lanes = load();
    await waitFor('a load', async () => answered().length >= LANES);
    await stopWithOrdersInHand('api');
    await lanes;
    expect(answered().map(({ status }) => status)).toEqual(answered().map(() => 201));
    expect(unanswered()).toHaveLength(LANES);
    expect(await sql('SELECT idempotency_key FROM idempotency_records WHERE idempotency_key = ANY($1)', [unanswered().map(({ key }) => key)])).toEqual([]);
    await stack.up('api');
    await stack.whenReady();
    await expectOneOrderEach();
  }, 120_000);

  it('the worker ends with 0, and the next one finishes what was begun', async () => {
    const lanes = load();
    await waitFor('a load', async () => answered().length >= LANES);
    await stopWithOrdersInHand('worker');
    const sofar = attempts.length;
    await stack.up('worker');
    await stack.whenReady();
    await waitFor('orders go on', async () => answered().filter(({ status }) => status === 201).length > sofar, AWHILE_MS);
    stopped = true;
    await lanes;
    for (const { status } of attempts) expect([201, 500]).toContain(status);
    await expectOneOrderEach();
  }, 120_000);
});
