import type { ShippingAddress } from '../../domain/basket/quote-request';
import type { ReadyMail } from '../../domain/limits';
import { MAILED_ISSUE_CODES } from '../../domain/order-issues';
import type { Sql } from '../database';
import type { OrderWithRelations } from '../rows';
import { ORDER_WITH_RELATIONS } from './orders';
import { SHIPPING_ADDRESS, STUDIO_ORDER_TABLES } from './studio-orders';
import { isCorrected } from './timeline';

/** A mail about a live order, and what its text needs. */
export interface MailedOrder extends OrderWithRelations {
  account_name: string;
  account_email: string;
  ready_mail: ReadyMail;
  shipping_address: ShippingAddress;
}

export const findMailedOrder = (sql: Sql, orderId: string): Promise<MailedOrder> =>
  sql.one(
    `
    SELECT ${ORDER_WITH_RELATIONS}, a.name AS account_name, a.email AS account_email, a.ready_mail, ${SHIPPING_ADDRESS} AS shipping_address
      FROM ${STUDIO_ORDER_TABLES} WHERE o.id = $1`,
    [orderId],
  );

/** Requests the mail of a live order that becomes ready now. Whether it is to be collected is decided when the mail is due. */
export async function requestReadyMail(sql: Sql, orderId: string, now: Date): Promise<void> {
  await sql.run(`UPDATE orders SET ready_mail_due_since = $2 WHERE id = $1 AND environment = 'live' AND base_status <> 'completed'`, [
    orderId,
    now,
  ]);
}

export interface DueMail {
  orderId: string;
}

export interface DueReadyMail extends DueMail {
  since: Date;
}

/** SQL over `o`: whether a person has signed for the completed order. */
const IS_SIGNED_FOR = `o.base_status = 'completed' AND EXISTS (SELECT 1 FROM order_timeline t
  WHERE t.order_id = o.id AND t.type = 'completed' AND t.outcome = 'applied' AND t.content::jsonb ? 'signedBy' AND NOT ${isCorrected('o.id', 't.milestone_id')})`;

/**
 * Orders whose ready mail is due. Orders on hold wait, and so do collected ones: undoing that makes the mail due again. The
 * order is random, so delayed mails do not hold up the others.
 */
export function findReadyMails(sql: Sql, limit: number): Promise<DueReadyMail[]> {
  return sql.rows(
    `SELECT o.id AS "orderId", o.ready_mail_due_since AS since FROM orders o
      WHERE o.ready_mail_due_since IS NOT NULL AND o.base_status <> 'on_hold' AND NOT (${IS_SIGNED_FOR}) ORDER BY random() LIMIT $1`,
    [limit],
  );
}

/** The mail was sent, refused or is not needed. It stays due if the order became ready again since. */
export async function endReadyMail(sql: Sql, { orderId, since }: DueReadyMail): Promise<void> {
  await sql.run('UPDATE orders SET ready_mail_due_since = NULL WHERE id = $1 AND ready_mail_due_since = $2', [orderId, since]);
}

export interface Contact {
  name: string;
  email: string;
}

/** Problems of one order's artwork that no mail has reported. */
export interface DueIssueMail extends DueMail {
  /** The attention entries. */
  ids: number[];
  /** The account's contacts for production, one for each address. */
  contacts: Contact[];
}

/** Orders with missing or rejected artwork that no mail has reported. The order is random, as that of the ready mails. */
export function findIssueMails(sql: Sql, limit: number): Promise<DueIssueMail[]> {
  return sql.rows(
    `
    SELECT t.order_id AS "orderId", array_agg(t.id ORDER BY t.id) AS ids,
           (SELECT COALESCE(jsonb_agg(contact), '[]') FROM (
              SELECT DISTINCT ON (lower(c.email)) c.name, c.email FROM account_contacts c JOIN orders o ON o.account_id = c.account_id
               WHERE o.id = t.order_id AND c.role = 'production' ORDER BY lower(c.email), c.id) contact) AS contacts
      FROM order_attention t
     WHERE t.code IN ('${MAILED_ISSUE_CODES.join("', '")}') AND t.environment = 'live' AND t.cleared_at IS NULL AND t.mailed_at IS NULL
     GROUP BY t.order_id ORDER BY random() LIMIT $1`,
    [limit],
  );
}

export async function endIssueMail(sql: Sql, { ids }: DueIssueMail, now: Date): Promise<void> {
  await sql.run('UPDATE order_attention SET mailed_at = $2 WHERE id = ANY ($1)', [ids, now]);
}
