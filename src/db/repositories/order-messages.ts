import type { MessageSender, OrderMessage, SentMessage } from '../../domain/order-messages';
import type { Sql } from '../database';

/** Stores a message while its request is in progress. @returns false if there is no such order */
export function insertMessage(
  sql: Sql,
  { id, orderId, message, sender }: { id: string; orderId: string; message: OrderMessage; sender: MessageSender },
  now: Date,
): Promise<boolean> {
  return sql.exists(
    `INSERT INTO order_messages (id, order_id, content, credential_id, badge_id, request_id, created_at)
     SELECT $1, o.id, $3, $4, $5, $6, $7 FROM orders o WHERE o.id = $2 RETURNING id`,
    [id, orderId, JSON.stringify(message), sender.credentialId, sender.badgeId, sender.requestId, now],
  );
}

/** The name of the person who collected the order, or null if the request no longer waits. */
export function findSignedBy(sql: Sql, messageId: string): Promise<string | null> {
  return sql.value(`SELECT content->>'signedBy' FROM order_messages WHERE id = $1`, [messageId]);
}

/** The message with this id to this order, or null. */
export async function findMessage(sql: Sql, orderId: string, messageId: string): Promise<SentMessage | null> {
  const row = await sql.row<MessageSender & { message: OrderMessage }>(
    'SELECT content AS message, credential_id AS "credentialId", badge_id AS "badgeId", request_id AS "requestId" FROM order_messages WHERE id = $2 AND order_id = $1',
    [orderId, messageId],
  );
  if (row === null) return null;
  const { message, ...sender } = row;
  return { message, sender };
}

export function deleteMessage(sql: Sql, messageId: string): Promise<void> {
  return sql.run('DELETE FROM order_messages WHERE id = $1', [messageId]);
}

/** Deletes messages whose request was interrupted. */
export function deleteLostMessages(sql: Sql, createdBefore: Date): Promise<void> {
  return sql.run('DELETE FROM order_messages WHERE created_at < $1', [createdBefore]);
}
