import type { Sql } from '../database';
import type { Page } from '../keyset';
import { fromMark, orderedBy, orderListOf, type OrderList, type StudioOrderFilter } from './order-list';
import { orderIdsLike } from './order-search';
import { LISTED_COLUMNS, STUDIO_TABLES, withRecordDates, type ListedOrderRow } from './studio-orders';

/** With it, a text is looked for among the texts alone. */
const BESIDE_THE_TEXT = ['environment', 'from', 'to', 'searched', 'sort'];

export async function listStudioOrders(sql: Sql, filter: StudioOrderFilter, page: Page): Promise<ListedOrderRow[]> {
  const { searched } = filter;
  const list = fromMark(orderListOf(filter), page);
  if (searched === undefined || !('text' in searched)) return rowsOf(sql, list, page.limit);
  const isWide = filter.sort !== 'dueDate' && Object.keys(filter).every((name) => BESIDE_THE_TEXT.includes(name));
  const ids = await orderIdsLike(sql, { ...list, isWide }, searched.text, page.limit);
  return ids.length === 0 ? [] : rowsOf(sql, { ...list, where: 'o.id = ANY ($1)', parameters: [ids] }, page.limit);
}

async function rowsOf(sql: Sql, list: OrderList, limit: number): Promise<ListedOrderRow[]> {
  const rows = await sql.rows<ListedOrderRow>(
    `SELECT ${LISTED_COLUMNS} FROM ${STUDIO_TABLES} WHERE ${list.where} ${orderedBy(list)} LIMIT $${list.parameters.length + 1}`,
    [...list.parameters, limit],
  );
  return rows.map(withRecordDates);
}
