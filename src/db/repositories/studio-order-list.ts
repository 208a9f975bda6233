import type { Sql } from '../database';
import type { Page } from '../keyset';
import { afterCursor, orderByClause, toOrderListQuery, type OrderListQuery, type StudioOrderFilter } from './order-list';
import { searchOrderIds } from './order-search';
import { LISTED_ORDER_COLUMNS, STUDIO_ORDER_TABLES, withRecordDates, type ListedOrderRow } from './studio-orders';

/** Filters whose columns the table `order_search` has. With any other filter, a search also reads `orders`. */
const SEARCH_TABLE_FILTERS = ['environment', 'from', 'to', 'search', 'sort'];

export async function listStudioOrders(sql: Sql, filter: StudioOrderFilter, page: Page): Promise<ListedOrderRow[]> {
  const { search } = filter;
  const list = afterCursor(toOrderListQuery(filter), page);
  if (search === undefined || !('terms' in search)) return findRows(sql, list, page.limit);
  const usesOnlySearchTable = filter.sort !== 'dueDate' && Object.keys(filter).every((name) => SEARCH_TABLE_FILTERS.includes(name));
  const ids = await searchOrderIds(sql, { ...list, usesOnlySearchTable }, search.terms, page.limit);
  return ids.length === 0 ? [] : findRows(sql, { ...list, where: 'o.id = ANY ($1)', parameters: [ids] }, page.limit);
}

async function findRows(sql: Sql, list: OrderListQuery, limit: number): Promise<ListedOrderRow[]> {
  const rows = await sql.rows<ListedOrderRow>(
    `SELECT ${LISTED_ORDER_COLUMNS} FROM ${STUDIO_ORDER_TABLES} WHERE ${list.where} ${orderByClause(list)} LIMIT $${list.parameters.length + 1}`,
    [...list.parameters, limit],
  );
  return rows.map(withRecordDates);
}
