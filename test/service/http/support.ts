import type { WorkflowHandle } from '@temporalio/client';
import { SCOPES, type Scope } from '../../../src/domain/limits';
import { aKey, anAccount, type AccountOverrides, type KeyOverrides, type TestAccount } from '../../support/accounts';
import type { HttpClient, Reply } from '../../support/client';
import { copyRow } from '../../support/row-copies';
import type { TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { orderWorkflowId } from '../../../workflows/messages';

/** A copy of the specification's endpoint table. `path` has the id of an unknown order or quote. */
export const ENDPOINTS: readonly { method: 'GET' | 'POST' | 'PATCH'; path: string; scope: Scope; perMinute: number }[] = [
  { method: 'GET', path: '/account', scope: 'orders:read', perMinute: 120 },
  { method: 'GET', path: '/catalogue', scope: 'price:read', perMinute: 120 },
  { method: 'GET', path: '/events', scope: 'orders:read', perMinute: 120 },
  { method: 'GET', path: '/events/latest', scope: 'orders:read', perMinute: 120 },
  { method: 'GET', path: '/orders', scope: 'orders:read', perMinute: 120 },
  { method: 'POST', path: '/orders', scope: 'orders:write', perMinute: 30 },
  { method: 'GET', path: '/orders/ord_00', scope: 'orders:read', perMinute: 120 },
  { method: 'PATCH', path: '/orders/ord_00', scope: 'orders:write', perMinute: 30 },
  { method: 'POST', path: '/orders/ord_00/cancel', scope: 'orders:write', perMinute: 30 },
  { method: 'GET', path: '/orders/ord_00/details', scope: 'orders:read', perMinute: 120 },
  { method: 'GET', path: '/orders/ord_00/invoice', scope: 'orders:read', perMinute: 120 },
  { method: 'GET', path: '/orders/ord_00/invoice.pdf', scope: 'orders:read', perMinute: 120 },
  { method: 'POST', path: '/orders/ord_00/lines/0/artwork', scope: 'orders:write', perMinute: 30 },
  { method: 'POST', path: '/prices', scope: 'price:read', perMinute: 120 },
  { method: 'POST', path: '/quotes', scope: 'price:read', perMinute: 60 },
  { method: 'GET', path: '/quotes/quo_00', scope: 'price:read', perMinute: 120 },
  { method: 'GET', path: '/quotes/quo_00/breakdown', scope: 'price:read', perMinute: 120 },
  { method: 'POST', path: '/test/orders/ord_00/advance', scope: 'orders:write', perMinute: 60 },
  { method: 'POST', path: '/test/quotes/quo_00/expire', scope: 'orders:write', perMinute: 60 },
  { method: 'POST', path: '/uploads', scope: 'orders:write', perMinute: 60 },
  { method: 'GET', path: '/uploads/upl_00', scope: 'orders:write', perMinute: 120 },
  { method: 'POST', path: '/uploads/upl_00/renew', scope: 'orders:write', perMinute: 30 },
  { method: 'GET', path: '/webhook-deliveries', scope: 'orders:read', perMinute: 120 },
  { method: 'POST', path: '/webhook-deliveries/dlv_00/resend', scope: 'orders:write', perMinute: 30 },
  { method: 'GET', path: '/webhook-endpoints', scope: 'orders:read', perMinute: 120 },
  { method: 'PATCH', path: '/webhook-endpoints/whe_00', scope: 'orders:write', perMinute: 30 },
  { method: 'POST', path: '/webhook-endpoints/whe_00/ping', scope: 'orders:write', perMinute: 10 },
];

export const scopesWithout = (scope: Scope): Scope[] => SCOPES.filter((other) => other !== scope);

export interface Trader extends TestAccount {
  /** With a test key that has every scope. */
  trade: HttpClient;
}

/** A new account has separate rate limits and lists. */
export async function aTrader(service: TestService, traits: AccountOverrides = {}): Promise<Trader> {
  const account = await anAccount(service.deps.database, traits);
  return { ...account, trade: service.trade(account.testKey) };
}

/** A client with another key of this account. */
export async function anotherKey(service: TestService, accountId: string, traits: KeyOverrides = {}): Promise<HttpClient> {
  return service.trade(await aKey(service.deps.database, accountId, traits));
}

/** Status and code of the refusal, after a check of the whole envelope. If `details` is undefined, there must be none. */
export function expectRefusal(reply: Reply, status: number, code: string, details?: unknown): void {
  expect({ status: reply.status, code: reply.json?.error?.code, text: reply.text }).toMatchObject({ status, code });
  expect(Object.keys(reply.json)).toEqual(['data', 'error']);
  expect(reply.json.data).toBeNull();
  expect(Object.keys(reply.json.error ?? {})).toEqual(details === undefined ? ['code', 'message'] : ['code', 'message', 'details']);
  if (details !== undefined) expect(reply.json.error?.details).toEqual(details);
  expect(reply.json.error?.message).toEqual(expect.stringMatching(/\S/));
  expectCommonHeaders(reply);
  expect(reply.headers['cache-control']).toBe('no-store');
}

/** VALIDATION_ERROR with exactly these paths, each with a message. */
export function expectValidationPaths(reply: Reply, paths: string[]): void {
  expectRefusal(reply, 400, 'VALIDATION_ERROR', expect.anything());
  const details = reply.json.error?.details;
  expect(Object.keys(details)).toEqual(['paths', 'issues']);
  expect([...details.paths].sort()).toEqual([...paths].sort());
  expect([...new Set(details.issues.map((issue: { path: string }) => issue.path))].sort()).toEqual([...paths].sort());
  for (const issue of details.issues) expect(issue).toEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) });
}

export function expectCommonHeaders(reply: Reply): void {
  expect(reply.headers['service-request-id']).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
}

export function sql<T = Record<string, unknown>>(service: TestService, text: string, parameters: unknown[] = []): Promise<T[]> {
  return service.deps.database.rows(text, parameters);
}

const COUNTED_TABLES = ['uploads', 'quotes', 'orders', 'invoices', 'order_events', 'idempotency_records', 'order_timeline'] as const;
export type RowCounts = Partial<Record<(typeof COUNTED_TABLES)[number], number>>;

/** Counts of the account's rows in each table. */
export async function countRows(service: TestService, accountId: string): Promise<Record<(typeof COUNTED_TABLES)[number], number>> {
  const counts = COUNTED_TABLES.map((table) =>
    table === 'order_timeline'
      ? `(SELECT count(*) FROM order_timeline t JOIN orders o ON o.id = t.order_id WHERE o.account_id = $1)::int AS order_timeline`
      : `(SELECT count(*) FROM ${table} WHERE account_id = $1)::int AS ${table}`,
  );
  const [found] = await sql(service, `SELECT ${counts.join(', ')}`, [accountId]);
  return found as Record<(typeof COUNTED_TABLES)[number], number>;
}

/** Runs `work` and expects no new rows. */
export async function expectNothingStored(service: TestService, accountId: string, work: () => Promise<void>): Promise<void> {
  const before = await countRows(service, accountId);
  await work();
  expect(await countRows(service, accountId)).toEqual(before);
}

/** Waits until a statement of this database waits for a lock. Commits with NOTIFY wait for an `object` that all databases share. */
export async function waitForLockWaiters(service: TestService, atLeast = 1): Promise<void> {
  await waitFor('statements that wait for a lock', async () => {
    const [found] = await sql<{ waiting: number }>(
      service,
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'object'`,
    );
    return (found?.waiting ?? 0) >= atLeast;
  });
}

/** An unspent copy of this quote, without a request. */
export function copyQuoteAs(service: TestService, quoteId: string, copyId: string, changes: Record<string, unknown> = {}): Promise<void> {
  return copyRow(service.deps.database, 'quotes', quoteId, [{ consumed_at: null, ...changes, id: copyId }]);
}

/** `count` code points, each of two UTF-16 units. */
export const astralText = (count: number): string => '🖼'.repeat(count);

/** The workflow of an order, which starts after the response. */
export async function startedOrder({ deps }: TestService, orderId: string): Promise<WorkflowHandle> {
  const workflow = deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
  await waitFor('the start of its workflow', () => workflow.describe().catch(() => null));
  return workflow;
}
