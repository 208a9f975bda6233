import type { AttentionCode } from '../../domain/attention';
import type { Environment } from '../../domain/limits';
import { STATUSES_TO_BE_SHIPPED, type OrderStatus } from '../../domain/order-status';
import { isPrintedOn, type Material, materialKeyOf, type MaterialSection } from '../../domain/materials';
import type { OrderSearch } from '../../domain/search-text';
import type { Stage } from '../../domain/stages';
import { orderNewestFirst, orderOldestFirst, type Page } from '../keyset';
import { jobsOfOrderSql } from './order-artwork';
import { NEWEST_ORDERS } from './orders';

/** The studio's filters of the order list; days are `YYYY-MM-DD`. */
export interface StudioOrderFilter {
  environment: Environment;
  status?: OrderStatus;
  accountId?: string;
  /** Lists orders with open attention: with one of these codes, or with any code. */
  attention?: readonly AttentionCode[] | 'any';
  /** The period of placement: `from` inclusive, `to` exclusive. */
  from?: Date;
  to?: Date;
  /** Lists unshipped orders that are due on this day or later. */
  dueFrom?: string;
  /** Lists unshipped orders that were due before this day. */
  dueBefore?: string;
  /** Lists orders with a line that still needs the material. */
  material?: Material;
  /** Lists shipped orders with pieces that are in no parcel. */
  partShipped?: true;
  /** Lists unshipped orders whose last complete stage is this one; `none` before printing. */
  stage?: Stage | 'none';
  orderNumbers?: readonly string[];
  search?: OrderSearch;
  /** Default: newest first. */
  sort?: OrderSort;
}

/** `dueDate` lists unshipped orders only, the earliest due date first. */
export type OrderSort = 'newest' | 'oldest' | 'dueDate';

/** A list of orders in SQL: conditions over `orders o`, their parameters, and the sort columns. */
export interface OrderListQuery {
  where: string;
  parameters: unknown[];
  sort: OrderSort;
}

const inStatuses = (statuses: readonly OrderStatus[]): string => `(${statuses.map((status) => `'${status}'`).join(', ')})`;

/** SQL over `orders o`: the status in the studio's lists. A completed order stays completed after shipping. */
export const STUDIO_STATUS = `(CASE o.base_status WHEN 'completed' THEN 'completed' ELSE o.status END)`;

/** SQL over `orders o`: neither shipped nor completed nor cancelled. */
export const TO_BE_SHIPPED = `o.status IN ${inStatuses(STATUSES_TO_BE_SHIPPED)}`;

const LIVE_PARCELS = 'FROM parcels p WHERE p.order_id = o.id AND p.voided_at IS NULL';
/**
 * SQL over `orders o`: the order is shipped but not completed, and its parcels contain fewer pieces than were ordered. A parcel with
 * unknown contents counts as containing all remaining pieces.
 */
const PART_SHIPPED = `${STUDIO_STATUS} = 'shipped' AND o.base_status <> 'cancelled'
  AND NOT EXISTS (SELECT ${LIVE_PARCELS} AND p.lines IS NULL)
  AND (SELECT COALESCE(sum((l.piece ->> 'quantity')::int), 0)
         FROM (SELECT jsonb_array_elements(p.lines) AS piece ${LIVE_PARCELS}) l)
    < (SELECT sum((j.job ->> 'quantity')::int)
         FROM (SELECT jsonb_array_elements(${jobsOfOrderSql('o')}) AS job) j)`;

/** SQL over `orders o`: the order is open, and some of its pieces are in no parcel. */
export const HAS_OPEN_PIECES = `(${TO_BE_SHIPPED} OR ${PART_SHIPPED})`;

/**
 * SQL over `orders o` with `HAS_OPEN_PIECES`: for each line that printing or framing has not done, the material's `id` and the `pieces` that
 * are in no parcel, as in `neededMaterials`.
 */
export const needsOfLines = (section: MaterialSection): string => `(
  SELECT j.job -> 'selections' ->> '${materialKeyOf(section)}' AS id, (j.job ->> 'quantity')::int - (
      SELECT COALESCE(sum((l.piece ->> 'quantity')::int), 0)::int FROM (SELECT jsonb_array_elements(p.lines) AS piece ${LIVE_PARCELS}) l
       WHERE (l.piece ->> 'line')::int = j.place - 1) AS pieces
    FROM jsonb_array_elements(${jobsOfOrderSql('o')}) WITH ORDINALITY j (job, place)
   WHERE NOT ${isPrintedOn(section) ? 'j.place - 1 = ANY (o.printed_lines)' : `o.stage_lines -> 'framed' @> to_jsonb(j.place - 1)`})`;

const needsMaterial = ({ section, id }: Material, bind: (value: unknown) => string): string =>
  `${HAS_OPEN_PIECES} AND EXISTS (SELECT FROM ${needsOfLines(section)} n WHERE n.id = ${bind(id)} AND n.pieces > 0)`;

const OPEN_ATTENTION = 'SELECT t.order_id FROM order_attention t WHERE t.cleared_at IS NULL';
const CONDITIONS_BY_ID: Record<string, (mark: string) => string> = {
  ord: (mark) => `o.id = ${mark}`,
  quo: (mark) => `o.quote_id = ${mark}`,
  acc: (mark) => `o.account_id = ${mark}`,
  inv: (mark) => `o.id = (SELECT i.order_id FROM invoices i WHERE i.id = ${mark})`,
};

export function toOrderListQuery(filter: StudioOrderFilter): OrderListQuery {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const {
    status,
    accountId,
    attention,
    from,
    to,
    dueFrom,
    dueBefore,
    partShipped,
    material,
    stage,
    orderNumbers,
    search,
    sort = 'newest',
  } = filter;
  const conditions = [
    `o.environment = ${bind(filter.environment)}`,
    status !== undefined && `${STUDIO_STATUS} = ${bind(status)}`,
    accountId !== undefined && `o.account_id = ${bind(accountId)}`,
    attention === 'any' && `o.id IN (${OPEN_ATTENTION})`,
    attention !== undefined && attention !== 'any' && `o.id IN (${OPEN_ATTENTION} AND t.code = ANY (${bind(attention)}))`,
    from !== undefined && `o.created_at >= ${bind(from)}`,
    to !== undefined && `o.created_at < ${bind(to)}`,
    (sort === 'dueDate' || dueFrom !== undefined || dueBefore !== undefined || stage !== undefined) && TO_BE_SHIPPED,
    dueFrom !== undefined && `o.due_date >= ${bind(dueFrom)}`,
    dueBefore !== undefined && `o.due_date < ${bind(dueBefore)}`,
    partShipped === true && PART_SHIPPED,
    material !== undefined && needsMaterial(material, bind),
    stage === 'none' && 'o.stage IS NULL',
    stage !== undefined && stage !== 'none' && `o.stage = ${bind(stage)}`,
    orderNumbers !== undefined && `o.order_number = ANY (${bind(orderNumbers)})`,
    search !== undefined && 'id' in search && CONDITIONS_BY_ID[search.id.slice(0, 3)]?.(bind(search.id)),
    search !== undefined && 'numberFrom' in search && hasNumberPrefix('o.order_number', bind(search.numberFrom)),
  ];
  return {
    where: conditions.filter((condition) => typeof condition === 'string').join(' AND '),
    parameters,
    sort,
  };
}

/** SQL: the number starts with this text. The columns of numbers compare by code points. No number has a character after `~`. */
export const hasNumberPrefix = (column: string, mark: string): string => `${column} >= ${mark} AND ${column} < ${mark} || '~'`;

const SORTS: Record<OrderSort, { columns: string; order: string; comparison: '<' | '>' }> = {
  newest: { columns: NEWEST_ORDERS.join(', '), order: orderNewestFirst(NEWEST_ORDERS), comparison: '<' },
  oldest: { columns: NEWEST_ORDERS.join(', '), order: orderOldestFirst(NEWEST_ORDERS), comparison: '>' },
  dueDate: { columns: 'o.due_date, o.id', order: 'ORDER BY o.due_date, o.id', comparison: '>' },
};

export const orderByClause = ({ sort }: OrderListQuery): string => SORTS[sort].order;

/**
 * Restricts the list to orders after the page's cursor. If the list is sorted by due date, the cursor's time is the start of that day in
 * UTC.
 */
export function afterCursor<L extends OrderListQuery>(list: L, { after }: Page): L {
  if (after === null) return list;
  const cursorValues = [list.sort === 'dueDate' ? after.createdAt.toISOString().slice(0, 10) : after.createdAt, after.id];
  const [first, id] = cursorValues.map((_, index) => `$${list.parameters.length + 1 + index}`);
  const condition = `(${SORTS[list.sort].columns}) ${SORTS[list.sort].comparison} (${first}, ${id})`;
  return { ...list, where: `${list.where} AND ${condition}`, parameters: [...list.parameters, ...cursorValues] };
}
