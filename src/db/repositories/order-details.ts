import type { Environment } from '../../domain/limits';
import type { RowOf } from '../columns';
import type { Sql } from '../database';
import { ORDER_COLUMNS, QUOTE_COLUMNS } from '../rows';

const ORDER_DETAIL_COLUMNS = ORDER_COLUMNS.only('id', 'lines', 'special_instructions', 'white_label');
const QUOTE_DETAIL_COLUMNS = QUOTE_COLUMNS.only('jobs', 'shipping_address', 'rush_tier');

/** The client's own data of an order, with its later changes. */
export type OrderDetails = RowOf<typeof ORDER_DETAIL_COLUMNS> & RowOf<typeof QUOTE_DETAIL_COLUMNS>;

/** The details of one order of this account and environment, or null. */
export function findOrderDetails(sql: Sql, accountId: string, environment: Environment, orderId: string): Promise<OrderDetails | null> {
  return sql.row(
    `
    SELECT ${ORDER_DETAIL_COLUMNS.of('o')}, ${QUOTE_DETAIL_COLUMNS.of('q')} FROM orders o JOIN quotes q ON q.id = o.quote_id
     WHERE o.id = $1 AND o.account_id = $2 AND o.environment = $3`,
    [orderId, accountId, environment],
  );
}
