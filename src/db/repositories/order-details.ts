import type { Environment } from '../../domain/limits';
import type { RowOf } from '../columns';
import type { Sql } from '../database';
import { ORDER_COLUMNS, QUOTE_COLUMNS } from '../rows';

const ORDERED = ORDER_COLUMNS.only('id', 'lines', 'special_instructions', 'white_label');
const QUOTED = QUOTE_COLUMNS.only('jobs', 'shipping_address', 'rush_tier');

/** What an order's client sent of it, as it is now. */
export type OrderDetails = RowOf<typeof ORDERED> & RowOf<typeof QUOTED>;

/** The details of one order of this account and environment, or null. */
export function findOrderDetails(sql: Sql, accountId: string, environment: Environment, orderId: string): Promise<OrderDetails | null> {
  return sql.row(
    `
    SELECT ${ORDERED.of('o')}, ${QUOTED.of('q')} FROM orders o JOIN quotes q ON q.id = o.quote_id
     WHERE o.id = $1 AND o.account_id = $2 AND o.environment = $3`,
    [orderId, accountId, environment],
  );
}
