import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: the timeline knows an applied message by its kind and id (ruling 45), and a parcel or payment by what is in it; the audit
 * log takes what it is given.
 * Why: a parcel sent by signal under an id of the floor's own and the same parcel by the API were two. An audit row is now written in
 * the transaction of what it tells of, so nothing has to keep a repeat out; milestones of two kinds may have the same id.
 */
export class KnowMessagesByKind1764210000000 implements MigrationInterface {
  name = 'KnowMessagesByKind1764210000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline ADD COLUMN message_key text NOT NULL DEFAULT ''`);
    await runner.query(`UPDATE order_timeline SET message_key = milestone_id WHERE outcome = 'applied'`);
    await this.knowParcelsAndPayments(runner);
    await runner.query('DROP INDEX order_timeline_applied_once');
    await runner.query(
      `CREATE UNIQUE INDEX order_timeline_applied_once ON order_timeline (order_id, message_key) WHERE outcome = 'applied'`,
    );
    await runner.query('ALTER TABLE order_timeline ALTER COLUMN message_key DROP DEFAULT');
    await runner.query('DROP INDEX audit_log_milestone_once');
  }

  /** A label voided twice under two ids is two entries: the later keeps a key of its own. */
  private async knowParcelsAndPayments(runner: QueryRunner): Promise<void> {
    const seen = new Set<string>();
    for (let after = '0'; ;) {
      const entries: { id: string; order_id: string; type: string; content: string }[] = await runner.query(
        `
        SELECT id, order_id, type, content FROM order_timeline
         WHERE outcome = 'applied' AND type IN ('parcel_added', 'parcel_voided', 'payment_recorded', 'payment_reversed') AND id > $1 ORDER BY id LIMIT 1000`,
        [after],
      );
      for (const { id, order_id: orderId, type, content } of entries) {
        const { note: _note, occurredAt: _at, ...compared } = JSON.parse(content) as Record<string, unknown>;
        const key = `${PREFIXES[type]}:${String(compared.parcelId ?? compared.paymentId)}`;
        const isRepeat = seen.has(`${orderId} ${key}`);
        seen.add(`${orderId} ${key}`);
        await runner.query(
          `UPDATE order_timeline SET message_key = $2, digest = encode(sha256(convert_to($3, 'UTF8')), 'hex') WHERE id = $1`,
          [id, isRepeat ? `${key}#${id}` : key, asWritten(compared)],
        );
      }
      if (entries.length === 0) return;
      after = entries.at(-1)?.id ?? after;
    }
  }

  async down(): Promise<void> {
    throw new Error('two messages of different kinds may have the same id by now: restore a backup from before this migration');
  }
}

const PREFIXES: Record<string, string> = {
  parcel_added: 'parcel',
  parcel_voided: 'parcel-void',
  payment_recorded: 'payment',
  payment_reversed: 'payment-reversal',
};

/** Flat objects of text, numbers and null: keys sorted, as the service writes them. */
function asWritten(content: Record<string, unknown>): string {
  return JSON.stringify(content, Object.keys(content).sort());
}
