import type { OperationContract } from '../../../contract/operation';
import { SETTINGS } from '../resources';

/** What the contract says of settings (studio API "Endpoints"). */
export const SETTINGS_OPERATIONS = {
  read: {
    id: 'getSettings',
    tag: 'Settings',
    summary: "The studio's settings",
    answer: SETTINGS,
    example: { answer: { criticalRushEnabled: true } },
  },
  change: {
    id: 'changeSettings',
    tag: 'Settings',
    summary: 'Switch critical rush work',
    description: 'From the next quote on.',
    answer: SETTINGS,
    example: { request: { criticalRushEnabled: false }, answer: { criticalRushEnabled: false } },
  },
} satisfies Record<string, OperationContract>;
