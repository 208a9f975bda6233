import type { Environment } from '../../../../src/domain/limits';
import { hashKey, newStudioToken } from '../../../../src/security/api-keys';
import { newId } from '../../../../src/security/ids';
import { aKey } from '../../../support/accounts';
import { anIdempotencyKeyHeader, aQuoteRequest } from '../../../support/baskets';
import type { HttpClient, Reply } from '../../../support/client';
import type { TestService } from '../../../support/service';

/** Inserts a token of this role into the database. */
export async function aToken(
  service: { deps: Pick<TestService['deps'], 'database'> },
  role: 'floor' | 'office' | 'admin',
  traits: { name?: string; revoked?: boolean } = {},
): Promise<string> {
  const token = newStudioToken();
  await service.deps.database.run(
    `INSERT INTO studio_tokens (id, name, role, token_hash, revoked_at, created_at) VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN now() END, now())`,
    [newId('tok'), traits.name ?? `the ${role}`, role, hashKey(token), traits.revoked ?? false],
  );
  return token;
}

/** Places `count` orders of a small basket, each with a new key to avoid rate limits. */
export class OrderFactory {
  private request: unknown;

  constructor(
    private readonly service: TestService,
    private readonly environment: Environment = 'live',
    private readonly overrides: Record<string, unknown> = {},
  ) {}

  async place(body: Record<string, unknown> = {}): Promise<any> {
    const trade = this.service.trade(
      await aKey(this.service.deps.database, this.service.account.accountId, { environment: this.environment }),
    );
    this.request ??= await aQuoteRequest(trade, this.overrides);
    const quote = await trade.post('/quotes', this.request);
    const order = await trade.post('/orders', { quoteId: quote.json.data?.quoteId, ...body }, anIdempotencyKeyHeader());
    if (order.status !== 201) throw new Error(`order: ${quote.text} ${order.text}`);
    return order.json.data;
  }
}

let milestoneCount = 0;

export function sendMilestone(studio: HttpClient, orderId: string, type: string, fields: Record<string, unknown> = {}): Promise<Reply> {
  milestoneCount += 1;
  return studio.post(`/orders/${orderId}/milestones`, { milestoneId: `floor-${milestoneCount}`, type, ...fields });
}

/** Types of the order's events about a status, oldest first. */
export async function findEventTypes(service: TestService, orderId: string): Promise<string[]> {
  const events = await service.deps.database.rows<{ type: string }>(
    `SELECT type FROM order_events WHERE order_id = $1 AND part = 0 ORDER BY sequence`,
    [orderId],
  );
  return events.map(({ type }) => type);
}

export interface AuditEntry {
  actor_id: string;
  actor: string;
  action: string;
  subject: string;
  request_id: string;
  before: any;
  after: any;
}

/** Entries of the audit log about a subject, oldest first. */
export function findAuditEntries(service: TestService, subject: string): Promise<AuditEntry[]> {
  return service.deps.database.rows(`SELECT * FROM audit_log WHERE subject = $1 ORDER BY id`, [subject]);
}

/** The paths of a VALIDATION_ERROR. For any other response, the response itself. */
export function validationPathsOf(reply: Reply): unknown {
  return reply.json.error?.code === 'VALIDATION_ERROR' ? reply.json.error.details.paths : reply.text;
}
