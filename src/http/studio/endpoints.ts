import type { StudioEndpoint } from './support/types';
import { SESSION_ENDPOINTS } from './session';
import { OWN_SESSIONS_ENDPOINTS } from './own-sessions';
import { TOKENS_ENDPOINTS } from './tokens';
import { ACCOUNTS_ENDPOINTS } from './accounts/accounts';
import { ERASURE_ENDPOINTS } from './accounts/erasure';
import { KEYS_ENDPOINTS } from './keys';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints/webhook-endpoints';
import { WEBHOOK_DISABLING_ENDPOINTS } from './webhook-endpoints/disabling';
import { WEBHOOK_SECRET_ENDPOINTS } from './webhook-endpoints/secrets';
import { WEBHOOK_PING_ENDPOINTS } from './webhook-endpoints/ping';
import { DELIVERIES_ENDPOINTS } from './deliveries';
import { DELIVERY_COUNTS_ENDPOINTS } from './delivery-counts';
import { ORDERS_ENDPOINTS } from './orders';
import { MILESTONES_ENDPOINTS } from './milestones';
import { PARCELS_ENDPOINTS } from './parcels';
import { DOCUMENTS_ENDPOINTS } from './documents';
import { PAYMENTS_ENDPOINTS } from './payments';
import { ACCOUNT_PAYMENTS_ENDPOINTS } from './account-payments';
import { REFUNDS_ENDPOINTS } from './refunds';
import { STATEMENT_ENDPOINTS } from './statement';
import { INVOICES_ENDPOINTS } from './invoices';
import { CREDIT_NOTES_ENDPOINTS } from './credit-notes';
import { REMAKES_ENDPOINTS } from './remakes';
import { ATTENTION_ENDPOINTS } from './attention';
import { STATS_ENDPOINTS } from './stats';
import { SETTINGS_ENDPOINTS } from './settings';
import { CATALOGUE_ENDPOINTS } from './catalogue';
import { PRICE_BOOKS_ENDPOINTS } from './price-books/price-books';
import { PRICE_TRIALS_ENDPOINTS } from './price-books/price-trials';
import { EVENT_STREAM_ENDPOINTS } from './event-stream';
import { SCHEDULES_ENDPOINTS } from './schedules';
import { AUDIT_ENDPOINTS } from './audit';

const ROWS = [
  ...SESSION_ENDPOINTS,
  ...OWN_SESSIONS_ENDPOINTS,
  ...TOKENS_ENDPOINTS,
  ...ACCOUNTS_ENDPOINTS,
  ...ERASURE_ENDPOINTS,
  ...KEYS_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...WEBHOOK_DISABLING_ENDPOINTS,
  ...WEBHOOK_SECRET_ENDPOINTS,
  ...WEBHOOK_PING_ENDPOINTS,
  ...DELIVERY_COUNTS_ENDPOINTS, // before /deliveries/:id
  ...DELIVERIES_ENDPOINTS,
  ...ORDERS_ENDPOINTS,
  ...MILESTONES_ENDPOINTS,
  ...PARCELS_ENDPOINTS,
  ...DOCUMENTS_ENDPOINTS,
  ...PAYMENTS_ENDPOINTS,
  ...ACCOUNT_PAYMENTS_ENDPOINTS,
  ...REFUNDS_ENDPOINTS,
  ...STATEMENT_ENDPOINTS,
  ...INVOICES_ENDPOINTS,
  ...CREDIT_NOTES_ENDPOINTS,
  ...REMAKES_ENDPOINTS,
  ...ATTENTION_ENDPOINTS,
  ...STATS_ENDPOINTS,
  ...SETTINGS_ENDPOINTS,
  ...CATALOGUE_ENDPOINTS,
  ...PRICE_BOOKS_ENDPOINTS,
  ...PRICE_TRIALS_ENDPOINTS,
  ...EVENT_STREAM_ENDPOINTS,
  ...SCHEDULES_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
];

/** The endpoints of the studio API, by resource. */
export const STUDIO_ENDPOINTS: readonly StudioEndpoint[] = ROWS.map((row) => ({ ...row, name: `studio ${row.method} ${row.path}` }));
