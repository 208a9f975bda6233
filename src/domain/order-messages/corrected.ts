import { ID_PREFIXES, singleLineText, text } from './fields';
import type { MessageKind, RecordNotes } from './kind';

/** Undoes a milestone that was recorded by mistake. The database decides by the timeline. */
export interface Corrected extends RecordNotes {
  type: 'corrected';
  corrects: string;
  reason: string;
}

export const CORRECTION_FIELDS = { corrects: singleLineText(200), reason: text(2000) } as const;

export const corrected: MessageKind<Corrected> = {
  fields: CORRECTION_FIELDS,
  key: ({ corrects }) => ID_PREFIXES.correction + corrects,
  describe: ({ corrects }) => `${corrects} corrected`,
  limit: null,
  uncompared: ['reason'],
  alwaysChanges: true,
  decide: (facts) => ({ facts }),
};
