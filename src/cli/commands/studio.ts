import { choice, day, dayOrTime, jsonFile, onOrOff, text, type ApiCommand } from '../api-command';
import { environment } from './accounts';

export const STUDIO_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'settings show',
    description: 'show the settings',
    call: 'GET /settings',
    examples: ['settings show'],
  },
  {
    name: 'settings set',
    description: 'update settings; others stay unchanged',
    call: 'PATCH /settings',
    options: [
      onOrOff('--critical-rush <on|off>', 'criticalRushEnabled', 'allow the rush tier critical: on, off'),
      jsonFile('--studio-details <file>', 'studio', 'JSON file with name, abn, address and bank of the studio'),
    ],
    examples: ['settings set --critical-rush off', 'settings set --studio-details studio.json'],
  },
  {
    name: 'stats',
    description: 'show orders and revenue by day and status, late orders and webhook deliveries',
    call: 'GET /stats',
    options: [
      environment('environment (default: live)'),
      day('--from <day>', 'from', 'first day (default: thirty days before the last day)'),
      day('--to <day>', 'to', 'last day (default: today)'),
    ],
    output: { lists: { days: ['date', 'orders', 'revenueCents'] } },
    examples: ['stats', 'stats --from 2026-03-01 --to 2026-03-31 --json'],
  },
  {
    name: 'today',
    description: 'show the orders that need work, the orders due in the next 14 days, and the money of this month',
    call: 'GET /today',
    options: [environment('environment (default: live)')],
    output: { lists: { dueByDay: ['date', 'orders'] } },
    examples: ['today', 'today --environment test'],
  },
  {
    name: 'schedules',
    description: 'list schedules with their next and last runs',
    call: 'GET /schedules',
    output: {
      rows: [
        'id=schedule',
        'state',
        'note',
        'nextRunAt=next',
        'runs.0.startedAt=last',
        'runs.0.status=ended',
        'runs.0.failure=failure',
        'runs.0.result=did',
      ],
      isUnpaged: true,
    },
    examples: ['schedules', 'schedules --json'],
  },
  {
    name: 'audit',
    description: 'list the audit log, newest first; --json shows the values before and after',
    call: 'GET /audit',
    options: [
      text('--actor <name>', 'actor', 'name or id of the token'),
      text('--subject <id>', 'subject', 'changed object: an id, an order number or an invoice number'),
      text('--action <action>', 'action', 'action, such as account.change'),
      dayOrTime('--from <time>', 'from', 'entries of this time or later'),
      dayOrTime('--to <time>', 'to', 'entries before this time, or before the end of this day'),
      choice('--sort <order>', 'sort', ['newest', 'oldest'], 'order of rows (default: newest)'),
    ],
    output: { rows: ['at=when', 'actor.name=who', 'action', 'subject', 'requestId=request'] },
    examples: ['audit --limit 50', 'audit --subject P-10001', 'audit --subject acc_0123abcd --from 2026-03-01'],
  },
];
