import type { TimelineRow } from '../../../src/db/rows';
import { PAYMENT_SOURCES } from '../../../src/domain/account-payment';
import { CONTACT_ROLES } from '../../../src/domain/account-record';
import { INSPECTION_STATES } from '../../../src/domain/inspection';
import { ENTRY_TYPES } from '../../../src/domain/ledger';
import { ACCOUNT_STATUSES, ENVIRONMENTS, READY_MAILS } from '../../../src/domain/limits';
import { MAILED_ISSUE_CODES } from '../../../src/domain/order-issues';
import { BASE_STATUSES, HOLDABLE_STATUSES, ORDER_STATUSES, STATUSES_TO_BE_SHIPPED } from '../../../src/domain/order-status';
import { SENT_DOCUMENTS, SEND_STATES, STATEMENT_RUN_STATES } from '../../../src/domain/sends';
import { STAGES } from '../../../src/domain/stages';
import { ROLES } from '../../../src/domain/roles';
import {
  DELIVERY_STATES,
  RECOVERABLE_STATES,
  UNDELIVERED_STATES,
  type DeliveryTrigger,
  type EndpointState,
} from '../../../src/domain/webhook-rules';
import { useDatabase } from '../../support/fixtures';

const namesIn = <T extends string>(table: Record<T, true>): string[] => Object.keys(table);

/** By table and column; `environment` is the same in every table. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  environment: ENVIRONMENTS,
  'account_contacts.role': CONTACT_ROLES,
  'account_payments.source': PAYMENT_SOURCES,
  'accounts.ready_mail': READY_MAILS,
  'accounts.status': ACCOUNT_STATUSES,
  'artwork_inspections.state': INSPECTION_STATES,
  'ledger_entries.type': ENTRY_TYPES,
  'order_timeline.outcome': namesIn<TimelineRow['outcome']>({ applied: true, refused: true }),
  'orders.base_status': BASE_STATUSES,
  'orders.held_from': HOLDABLE_STATUSES,
  'orders.stage': STAGES,
  'orders.status': ORDER_STATUSES,
  'sends.document': SENT_DOCUMENTS,
  'sends.state': SEND_STATES,
  'statement_runs.state': STATEMENT_RUN_STATES,
  'studio_tokens.role': ROLES,
  'webhook_attempts.trigger': namesIn<DeliveryTrigger | 'ping'>({ automatic: true, resend: true, recover: true, ping: true }),
  'webhook_deliveries.state': DELIVERY_STATES,
  'webhook_deliveries.trigger': namesIn<DeliveryTrigger>({ automatic: true, resend: true, recover: true }),
  'webhook_endpoints.state': namesIn<EndpointState>({ enabled: true, disabled: true }),
};
const INDEXES: Readonly<Record<string, readonly string[]>> = {
  order_attention_to_mail: [...MAILED_ISSUE_CODES, 'live'],
  orders_due: STATUSES_TO_BE_SHIPPED,
  webhook_deliveries_undelivered: UNDELIVERED_STATES,
  webhook_deliveries_stuck_at: RECOVERABLE_STATES,
};

interface EnumList {
  of: string;
  text: string;
}

describe('lists of values in the database', () => {
  const { database } = useDatabase();

  const valuesOf = ({ text }: EnumList): string[] => [...text.matchAll(/'(\w+)'::text/g)].map(([, value = '']) => value).toSorted();
  const sorted = (lists: typeof CHECKS) => Object.fromEntries(Object.entries(lists).map(([of, values]) => [of, values.toSorted()]));

  it('match the code in CHECK constraints', async () => {
    const found = await database.rows<EnumList>(
      `SELECT CASE WHEN a.attname = 'environment' THEN '' ELSE conrelid::regclass || '.' END || a.attname AS of, pg_get_constraintdef(c.oid) AS text
         FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'c' AND pg_get_constraintdef(c.oid) LIKE '%= ANY (ARRAY[%'`,
    );
    expect(Object.fromEntries(found.map((list) => [list.of, valuesOf(list)]))).toEqual(sorted(CHECKS));
  });

  it('match the code in conditions of indexes', async () => {
    const found = await database.rows<EnumList>(
      `SELECT indexrelid::regclass::text AS of, pg_get_expr(indpred, indrelid) AS text FROM pg_index
        WHERE pg_get_expr(indpred, indrelid) LIKE '%= ANY (ARRAY[%'`,
    );
    expect(Object.fromEntries(found.map((list) => [list.of, valuesOf(list)]))).toEqual(sorted(INDEXES));
  });
});
