import { jsonFile, onOrOff, type ApiCommand } from '../api-command';

/** The studio itself: settings and what was done. */
export const STUDIO_COMMANDS: readonly ApiCommand[] = [
  {
    words: 'settings show',
    tells: 'the settings',
    call: 'GET /settings',
    shows: {},
    examples: ['settings show'],
  },
  {
    words: 'settings set',
    tells: 'change settings; what is not named stays',
    call: 'PATCH /settings',
    options: [
      onOrOff('--critical-rush <on|off>', 'criticalRushEnabled', 'whether clients may ask for the fastest rush: on, off'),
      jsonFile('--studio-details <file>', 'studio', 'name, abn, address and bank of the studio, as JSON'),
    ],
    shows: {},
    examples: ['settings set --critical-rush off', 'settings set --studio-details studio.json'],
  },
  {
    words: 'schedules',
    tells: 'what runs by itself, when next, and how its last runs ended',
    call: 'GET /schedules',
    shows: {
      rows: ['id=schedule', 'state', 'nextRunAt=next', 'runs.0.startedAt=last', 'runs.0.status=ended', 'runs.0.result=did'],
      whole: true,
    },
    examples: ['schedules', 'schedules --json'],
  },
  {
    words: 'audit',
    tells: 'who did what, newest first; --json has it before and after',
    call: 'GET /audit',
    shows: { rows: ['at=when', 'actor.name=who', 'action', 'subject', 'requestId=request'] },
    examples: ['audit --limit 50'],
  },
];
