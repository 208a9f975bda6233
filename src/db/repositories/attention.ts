import type { AttentionCode } from '../../domain/attention';
import type { Sql } from '../database';

/** One thing about an order that needs a person. `subject` names the occurrence: a message's key, a delivery, a parcel, an upload. */
export interface Occurrence {
  orderId: string;
  code: AttentionCode;
  subject: string;
}

/** SQL that raises what `source`, a SELECT or VALUES, has. While an occurrence is open it is not raised again (ruling 58). */
export const attentionInsert = (source: string): string => `
    INSERT INTO order_attention (order_id, code, subject, message, raised_at) ${source}
    ON CONFLICT (order_id, code, subject) WHERE cleared_at IS NULL DO NOTHING`;

/** Raises attention, in the transaction that learns of it. */
export async function raiseAttention(sql: Sql, { orderId, code, subject }: Occurrence, message: string, at: Date): Promise<void> {
  await sql.run(attentionInsert('VALUES ($1, $2, $3, $4, $5)'), [orderId, code, subject, message, at]);
}

/** Clears it where its opposite happened: the delivery arrived, the bytes came, the parcel was voided. */
export async function clearAttention(sql: Sql, { orderId, code, subject }: Occurrence, at: Date): Promise<void> {
  await sql.run(
    `
    UPDATE order_attention SET cleared_at = $4, cleared_by = 'service'
     WHERE order_id = $1 AND code = $2 AND subject = $3 AND cleared_at IS NULL`,
    [orderId, code, subject, at],
  );
}
