import { choice, day, dayOrTime, jsonFile, onOrOff, text, type ApiCommand } from '../api-command';
import { environment } from './accounts';

export const STUDIO_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'settings show',
    description: 'the settings',
    call: 'GET /settings',
    examples: ['settings show'],
  },
  {
    name: 'settings set',
    description: 'change settings; what is not named stays',
    call: 'PATCH /settings',
    options: [
      onOrOff('--critical-rush <on|off>', 'criticalRushEnabled', 'whether clients may ask for the fastest rush: on, off'),
      jsonFile('--studio-details <file>', 'studio', 'name, abn, address and bank of the studio, as JSON'),
    ],
    examples: ['settings set --critical-rush off', 'settings set --studio-details studio.json'],
  },
  {
    name: 'stats',
    description: 'orders and revenue a day, by status, what is late, how webhooks arrive',
    call: 'GET /stats',
    options: [
      environment('live unless said otherwise'),
      day('--from <day>', 'from', 'first day (default: thirty days before the last)'),
      day('--to <day>', 'to', 'last day (default: today)'),
    ],
    output: { lists: { days: ['date', 'orders', 'revenueCents'] } },
    examples: ['stats', 'stats --from 2026-03-01 --to 2026-03-31 --json'],
  },
  {
    name: 'schedules',
    description: 'what runs by itself, when next, and how its last runs ended',
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
    description: 'who did what, newest first; --json has it before and after',
    call: 'GET /audit',
    options: [
      text('--actor <name>', 'actor', 'name or id of the token'),
      text('--subject <id>', 'subject', "what it was done to: an id, an order's number or its invoice's"),
      text('--action <action>', 'action', 'such as account.change'),
      dayOrTime('--from <time>', 'from', 'of then or later'),
      dayOrTime('--to <time>', 'to', 'of earlier than that; a day is included'),
      choice('--sort <order>', 'sort', ['newest', 'oldest'], 'the newest first, or the oldest'),
    ],
    output: { rows: ['at=when', 'actor.name=who', 'action', 'subject', 'requestId=request'] },
    examples: ['audit --limit 50', 'audit --subject P-10001', 'audit --subject acc_0123abcd --from 2026-03-01'],
  },
];
