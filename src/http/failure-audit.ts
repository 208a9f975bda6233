import type { Clock } from '../clock';
import type { Database } from '../db/database';
import { writeAudit } from '../db/repositories/audit';
import type { Logger } from '../logger';

export const UNKNOWN = { id: 'unknown', name: 'unknown' };

const FLUSH_MS = 60_000;
/** Kinds of one action that are counted separately; all further ones are counted together. */
const KINDS_PER_ACTION = 100;

export interface Failure {
  action: string;
  subject: string;
  actor: { id: string; name: string };
  /** Failures with the same action, subject, actor and `after` are of one kind. */
  after: Record<string, string | number | null>;
  requestId: string;
}

const asOthers = ({ action, requestId }: Failure): Failure => {
  return { action, requestId, subject: 'others', actor: UNKNOWN, after: {} };
};

interface Kind {
  failure: Failure;
  /** Failures since the last entry of this kind. */
  count: number;
  /** The time of the first of them. */
  since: Date;
}

/**
 * Counts failures and writes them to the audit log: the first of a kind at once, the others of each minute as one entry with their number.
 * An attack adds at most one entry per minute, kind and process.
 */
export class FailureAudit {
  private readonly kinds = new Map<string, Kind>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Never rejects: the refusal is answered even if the audit log cannot be written. */
  async record(failure: Failure): Promise<void> {
    const counted = this.kinds.has(keyOf(failure)) || !this.isFull(failure.action) ? failure : asOthers(failure);
    const kind = this.kinds.get(keyOf(counted));
    if (kind !== undefined) {
      if (kind.count === 0) kind.since = this.clock.now();
      kind.count += 1;
      return;
    }
    this.kinds.set(keyOf(counted), { failure: counted, count: 0, since: this.clock.now() });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    await this.write(counted, { count: 1 });
  }

  /** Writes the counts. Forgets kinds without a failure since the last flush. */
  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const kinds = [...this.kinds];
    for (const [key, kind] of kinds) if (kind.count === 0) this.kinds.delete(key);
    const due = kinds.filter(([, { count }]) => count > 0).map(([, kind]) => ({ ...kind }));
    for (const [, kind] of kinds) kind.count = 0;
    if (this.kinds.size > 0) this.timer = setTimeout(() => void this.flush(), FLUSH_MS).unref();
    for (const { failure, count, since } of due) await this.write(failure, { count, since: since.toISOString() });
  }

  async close(): Promise<void> {
    await this.flush();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private isFull(action: string): boolean {
    return [...this.kinds.values()].filter(({ failure }) => failure.action === action).length >= KINDS_PER_ACTION;
  }

  private async write({ action, subject, actor, after, requestId }: Failure, counted: Record<string, number | string>): Promise<void> {
    try {
      const by = { at: this.clock.now(), tokenId: actor.id, name: actor.name, requestId };
      await writeAudit(this.database, by, { action, subject, before: null, after: { ...after, ...counted } });
    } catch (error) {
      this.logger.warn({ err: error, action, subject, ...counted }, 'could not write a failure to the audit log');
    }
  }
}

const keyOf = ({ action, subject, actor, after }: Failure): string => JSON.stringify([action, subject, actor.id, after]);
