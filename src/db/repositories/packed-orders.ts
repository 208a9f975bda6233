import type { Environment } from '../../domain/limits';
import { STAGES, type Stage } from '../../domain/stages';
import type { Sql } from '../database';
import type { Page } from '../keyset';
import { PARCEL_COLUMNS, type OrderRow, type ParcelRow } from '../rows';
import { JOBS, SHIPPING_ADDRESS, STUDIO_ORDER_COLUMNS, STUDIO_ORDER_TABLES, withDates, type StudioJobRow } from './studio-orders';

/**
 * The orders of an environment that have no parcel and completed all stages that the studio uses, the oldest first. Without those to
 * collect.
 * @param lastStage the last stage in use
 */
export function listPackedOrders(
  sql: Sql,
  { environment, lastStage }: { environment: Environment; lastStage: Stage },
  { after, limit }: Page,
): Promise<StudioJobRow[]> {
  return sql.rows(
    `
    SELECT ${STUDIO_ORDER_COLUMNS}, ${JOBS} AS jobs, ${SHIPPING_ADDRESS} AS shipping_address FROM ${STUDIO_ORDER_TABLES}
     WHERE o.environment = $1 AND o.status = 'in_production' AND o.printed AND o.erased_at IS NULL
       AND (o.stage = ANY ($5) OR $6 AND ${HAS_NO_FRAME})
       AND NOT o.is_collection AND (o.created_at, o.id) > ($2, $3)
     ORDER BY o.created_at, o.id LIMIT $4`,
    [environment, after?.createdAt ?? new Date(0), after?.id ?? '', limit, STAGES.slice(STAGES.indexOf(lastStage)), lastStage === 'framed'],
  );
}

const HAS_NO_FRAME = `NOT EXISTS (SELECT 1 FROM jsonb_array_elements(${JOBS}) j WHERE j -> 'selections' ? 'mouldingId')`;

/** An order with all its parcels, voided ones included. */
export interface OrderWithParcels extends Pick<
  OrderRow,
  'id' | 'order_number' | 'environment' | 'status' | 'base_status' | 'erased_at' | 'created_at'
> {
  lines: { quantity: number }[];
  all_parcels: ParcelRow[];
}

/** The orders with these numbers. */
export async function findOrdersWithParcels(sql: Sql, numbers: readonly string[]): Promise<OrderWithParcels[]> {
  const orders = await sql.rows<OrderWithParcels>(
    `
    SELECT o.id, o.order_number, o.environment, o.status, o.base_status, o.erased_at, o.created_at, o.lines,
      (SELECT COALESCE(jsonb_agg(${PARCEL_COLUMNS.json('p')} ORDER BY p.position), '[]') FROM parcels p WHERE p.order_id = o.id) AS all_parcels
      FROM orders o WHERE o.order_number = ANY ($1)`,
    [numbers],
  );
  return orders.map((order) => ({
    ...order,
    all_parcels: order.all_parcels.map((parcel) => withDates(parcel, ['shipped_at', 'delivered_at', 'voided_at'])),
  }));
}
