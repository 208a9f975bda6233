import { effectiveStatus } from '../order-status';
import { ID_PREFIXES, singleLineText } from './fields';
import { refusal, UNUSED_ID, type MessageKind, type RecordNotes } from './kind';

/** A change before production, by the client or the studio. Its content is in `order_changes`, so the facts stay the same. */
export interface Changed extends RecordNotes {
  type: 'changed';
  changeId: string;
}

export const changeKey = (changeId: string): string => ID_PREFIXES.change + changeId;

export const changed: MessageKind<Changed> = {
  fields: { changeId: singleLineText(100) },
  key: ({ changeId }) => changeKey(changeId),
  describe: ({ changeId }) => `changed ${changeId}`,
  limit: 'changes',
  example: () => ({ type: 'changed', changeId: UNUSED_ID }),
  alwaysChanges: true,
  refusalCode: 'ORDER_NOT_CHANGEABLE',
  decide(facts) {
    const status = effectiveStatus(facts);
    return status === 'received' ? { facts } : refusal(`the order is ${status}; only a received order can be changed; contact the studio`);
  },
};
