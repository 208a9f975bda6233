import type { Clock } from '../platform/clock';
import type { Database } from '../db/database';
import { writeAudit } from '../db/repositories/audit';
import type { Logger } from '../platform/logger';

export const UNKNOWN_ACTOR = { id: 'unknown', name: 'unknown' };

const FLUSH_INTERVAL_MS = 60_000;
/** The maximum of kinds per action that are counted separately. Further kinds are counted together. */
const MAX_GROUPS_PER_ACTION = 100;

export interface Failure {
  action: string;
  subject: string;
  actor: { id: string; name: string; badgeId?: string | null };
  /** Details. Failures with the same action, subject, actor and details are of one kind. */
  after: Record<string, string | number | null>;
  requestId: string;
}

const toOtherFailure = ({ action, requestId }: Failure): Failure => {
  return { action, requestId, subject: 'others', actor: UNKNOWN_ACTOR, after: {} };
};

interface FailureGroup {
  failure: Failure;
  /** Failures since the last entry of this kind. */
  count: number;
  /** The time of the first failure that `count` contains. */
  since: Date;
}

/**
 * Counts failures and writes them to the audit log. The first failure of a kind is written at once; the others of each minute are one entry
 * with their count. An attack adds at most one entry per minute, kind and process.
 */
export class FailureAudit {
  private readonly groups = new Map<string, FailureGroup>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Never rejects, because the response must not depend on the audit log. */
  async record(failure: Failure): Promise<void> {
    const recorded = this.groups.has(groupKey(failure)) || !this.isFull(failure.action) ? failure : toOtherFailure(failure);
    const group = this.groups.get(groupKey(recorded));
    if (group !== undefined) {
      if (group.count === 0) group.since = this.clock.now();
      group.count += 1;
      return;
    }
    this.groups.set(groupKey(recorded), { failure: recorded, count: 0, since: this.clock.now() });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
    await this.write(recorded, { count: 1 });
  }

  /** Writes the counts. Forgets kinds without a failure since the last flush. */
  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const groups = [...this.groups];
    for (const [key, group] of groups) if (group.count === 0) this.groups.delete(key);
    const due = groups.filter(([, { count }]) => count > 0).map(([, group]) => ({ ...group }));
    for (const [, group] of groups) group.count = 0;
    if (this.groups.size > 0) this.timer = setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
    for (const { failure, count, since } of due) await this.write(failure, { count, since: since.toISOString() });
  }

  async close(): Promise<void> {
    await this.flush();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private isFull(action: string): boolean {
    return [...this.groups.values()].filter(({ failure }) => failure.action === action).length >= MAX_GROUPS_PER_ACTION;
  }

  private async write({ action, subject, actor, after, requestId }: Failure, counts: Record<string, number | string>): Promise<void> {
    try {
      const by = { at: this.clock.now(), tokenId: actor.id, name: actor.name, badgeId: actor.badgeId ?? null, requestId };
      await writeAudit(this.database, by, { action, subject, before: null, after: { ...after, ...counts } });
    } catch (error) {
      this.logger.warn({ err: error, action, subject, ...counts }, 'could not write a failure to the audit log');
    }
  }
}

const groupKey = ({ action, subject, actor, after }: Failure): string => JSON.stringify([action, subject, actor.id, actor.badgeId, after]);
