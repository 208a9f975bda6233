import type { Environment } from '../../domain/limits';
import { UNDELIVERED_STATES, type UndeliveredState } from '../../domain/webhook-rules';
import type { Sql } from '../database';
import { MAX_COUNTED } from './webhook-endpoints';

export interface DeliveryCount {
  state: UndeliveredState;
  deliveries: number;
}

/** Counts the deliveries in each state except `delivered`, at most `MAX_COUNTED` each. Reads only indexes. */
export function countUndelivered(sql: Sql, environment: Environment): Promise<DeliveryCount[]> {
  // The states are literals because each index is partial over some of them.
  const counts = UNDELIVERED_STATES.map(
    (state) =>
      `SELECT '${state}' AS state, count(*)::int AS deliveries FROM (
         SELECT FROM webhook_deliveries d WHERE d.environment = $1 AND d.state = '${state}' LIMIT ${MAX_COUNTED}) n`,
  );
  return sql.rows(counts.join(' UNION ALL '), [environment]);
}
