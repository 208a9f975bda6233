import type { StudioEndpoint, StudioEndpointRow } from './support/types';
import { SESSION_ENDPOINTS } from './session';
import { BADGES_ENDPOINTS } from './badges';
import { TOKENS_ENDPOINTS } from './tokens';
import { ACCOUNTS_ENDPOINTS } from './accounts/accounts';
import { ERASURE_ENDPOINTS } from './accounts/erasure';
import { KEYS_ENDPOINTS } from './keys';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints/webhook-endpoints';
import { WEBHOOK_DISABLING_ENDPOINTS } from './webhook-endpoints/disabling';
import { WEBHOOK_SECRET_ENDPOINTS } from './webhook-endpoints/secrets';
import { DELIVERIES_ENDPOINTS } from './deliveries';
import { ARTWORK_ENDPOINTS } from './artwork';
import { ORDERS_ENDPOINTS } from './orders';
import { ARTWORK_FIT_ENDPOINTS } from './artwork-fit';
import { INSPECTIONS_ENDPOINTS } from './inspections';
import { MILESTONES_ENDPOINTS } from './milestones';
import { MILESTONE_BATCHES_ENDPOINTS } from './milestone-batches';
import { NOTES_ENDPOINTS } from './notes';
import { ORDER_CHANGES_ENDPOINTS } from './order-changes';
import { PARCELS_ENDPOINTS } from './parcels';
import { CARRIERS_ENDPOINTS } from './carriers';
import { LABEL_PROGRAM_ENDPOINTS } from './label-program';
import { DOCUMENTS_ENDPOINTS } from './documents';
import { PAYMENTS_ENDPOINTS } from './payments';
import { ACCOUNT_PAYMENTS_ENDPOINTS } from './account-payments';
import { REFUNDS_ENDPOINTS } from './refunds';
import { STAGE_SETTINGS_ENDPOINTS } from './stage-settings';
import { STATEMENT_ENDPOINTS } from './statement';
import { INVOICES_ENDPOINTS } from './invoices';
import { CREDIT_NOTES_ENDPOINTS } from './credit-notes';
import { REMAKES_ENDPOINTS } from './remakes';
import { ATTENTION_ENDPOINTS } from './attention';
import { STATS_ENDPOINTS } from './stats';
import { TODAY_ENDPOINTS } from './today';
import { SENDS_ENDPOINTS } from './sends';
import { STATEMENT_RUNS_ENDPOINTS } from './statement-runs';
import { REMINDERS_ENDPOINTS } from './reminders';
import { SETTINGS_ENDPOINTS } from './settings';
import { CATALOGUE_ENDPOINTS } from './catalogue';
import { PRICE_BOOKS_ENDPOINTS } from './price-books/price-books';
import { PRICE_TRIALS_ENDPOINTS } from './price-books/price-trials';
import { EVENT_STREAM_ENDPOINTS } from './event-stream';
import { SCHEDULES_ENDPOINTS } from './schedules';
import { AUDIT_ENDPOINTS } from './audit';

const RESOURCES: [tag: string, rows: readonly StudioEndpointRow[]][] = [
  ['Access', SESSION_ENDPOINTS],
  ['Access', [...TOKENS_ENDPOINTS, ...BADGES_ENDPOINTS]],
  ['Accounts', ACCOUNTS_ENDPOINTS],
  ['Accounts', ERASURE_ENDPOINTS],
  ['Access', KEYS_ENDPOINTS],
  ['Webhooks', WEBHOOK_ENDPOINTS],
  ['Webhooks', WEBHOOK_DISABLING_ENDPOINTS],
  ['Webhooks', WEBHOOK_SECRET_ENDPOINTS],
  ['Webhooks', DELIVERIES_ENDPOINTS],
  ['Orders', ARTWORK_ENDPOINTS],
  ['Orders', ORDERS_ENDPOINTS],
  ['Orders', INSPECTIONS_ENDPOINTS],
  ['Orders', ARTWORK_FIT_ENDPOINTS],
  ['Orders', MILESTONES_ENDPOINTS],
  ['Orders', MILESTONE_BATCHES_ENDPOINTS],
  ['Orders', ORDER_CHANGES_ENDPOINTS],
  ['Orders', PARCELS_ENDPOINTS],
  ['Orders', CARRIERS_ENDPOINTS],
  ['Orders', LABEL_PROGRAM_ENDPOINTS],
  ['Orders', STAGE_SETTINGS_ENDPOINTS],
  ['Documents', DOCUMENTS_ENDPOINTS],
  ['Documents', SENDS_ENDPOINTS],
  ['Documents', STATEMENT_RUNS_ENDPOINTS],
  ['Money', REMINDERS_ENDPOINTS],
  ['Orders', PAYMENTS_ENDPOINTS],
  ['Money', ACCOUNT_PAYMENTS_ENDPOINTS],
  ['Money', REFUNDS_ENDPOINTS],
  ['Money', STATEMENT_ENDPOINTS],
  ['Money', INVOICES_ENDPOINTS],
  ['Money', CREDIT_NOTES_ENDPOINTS],
  ['Orders', REMAKES_ENDPOINTS],
  ['Attention', ATTENTION_ENDPOINTS],
  ['Notes', NOTES_ENDPOINTS],
  ['Orders', STATS_ENDPOINTS],
  ['Orders', TODAY_ENDPOINTS],
  ['Settings', SETTINGS_ENDPOINTS],
  ['Catalogue', CATALOGUE_ENDPOINTS],
  ['Prices', PRICE_BOOKS_ENDPOINTS],
  ['Prices', PRICE_TRIALS_ENDPOINTS],
  ['Events', EVENT_STREAM_ENDPOINTS],
  ['Schedules', SCHEDULES_ENDPOINTS],
  ['Audit', AUDIT_ENDPOINTS],
];

/** The endpoints of the studio API, by resource. */
export const STUDIO_ENDPOINTS: readonly StudioEndpoint[] = RESOURCES.flatMap(([tag, rows]) =>
  rows.map((row) => ({ status: 200, ...row, tag, name: `studio ${row.method} ${row.path}` })),
);
