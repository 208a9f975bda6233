import type { OperationContract } from '../../../contract/operation';
import { SETTINGS } from '../resources';

const STUDIO_EXAMPLE = {
  name: 'Long & Post Studio',
  abn: '51 824 753 556',
  address: '4 Press Lane\nBrunswick VIC 3056',
  bank: 'BSB 063-000, account 1041 2214\nLong & Post Studio',
};

/** What the contract says of settings (studio API "Endpoints"). */
export const SETTINGS_OPERATIONS = {
  read: {
    id: 'getSettings',
    tag: 'Settings',
    summary: "The studio's settings",
    answer: SETTINGS,
    example: { answer: { criticalRushEnabled: true, studio: STUDIO_EXAMPLE } },
  },
  change: {
    id: 'changeSettings',
    tag: 'Settings',
    summary: 'Switch critical rush work, or tell what the studio says of itself on its documents',
    description:
      'Critical rush from the next quote on; `studio` from the next invoice on: each invoice keeps what held when it was issued.',
    answer: SETTINGS,
    example: { request: { studio: STUDIO_EXAMPLE }, answer: { criticalRushEnabled: false, studio: STUDIO_EXAMPLE } },
  },
} satisfies Record<string, OperationContract>;
