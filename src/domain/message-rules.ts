import { MILESTONE_TYPES, type MilestoneType, type OrderMessage, type OrderMessageType } from './order-message-types';

/**
 * Rules of cancellations and of messages that are not milestones. `limitLabel` names their limit in refusals. Null means no limit, so that
 * the records of a full order can still be reversed.
 */
const MESSAGE_RULES = {
  cancelled: { movesMoney: true, limitLabel: 'cancels' },
  corrected: { movesMoney: false, limitLabel: null },
  parcel_added: { movesMoney: false, limitLabel: 'parcels' },
  parcel_voided: { movesMoney: false, limitLabel: null },
  payment_recorded: { movesMoney: true, limitLabel: 'payments' },
  payment_reversed: { movesMoney: true, limitLabel: null },
  credit_noted: { movesMoney: true, limitLabel: 'credit notes' },
  credit_note_reversed: { movesMoney: true, limitLabel: null },
  changed: { movesMoney: false, limitLabel: 'changes' },
  artwork_replaced: { movesMoney: false, limitLabel: 'replacements of artwork' },
} as const satisfies Record<Exclude<OrderMessageType, MilestoneType> | 'cancelled', { movesMoney: boolean; limitLabel: string | null }>;
type MessageRules = typeof MESSAGE_RULES;
type MoneyType = { [Type in keyof MessageRules]: MessageRules[Type]['movesMoney'] extends true ? Type : never }[keyof MessageRules];
const hasMessageRules = (type: OrderMessageType): type is keyof MessageRules => Object.hasOwn(MESSAGE_RULES, type);
export type MoneyMessage = OrderMessage & { type: MoneyType };
export const MESSAGE_TYPES = [...new Set([...MILESTONE_TYPES, ...Object.keys(MESSAGE_RULES)])] as OrderMessageType[];

/** True if the message changes the account's balances. The account's row is then locked before the order's, as in every transaction. */
export const movesMoney = (message: OrderMessage): message is MoneyMessage =>
  hasMessageRules(message.type) && MESSAGE_RULES[message.type].movesMoney;

/** The maximum of applied messages of one kind on an order, and of refusals in its timeline. */
export const MAX_PER_KIND = 200;

/**
 * Returns the types that share a limit with this one, and the label of the limit; null if there is no limit. Cancellations have their own
 * limit, because only the first one has an effect.
 */
export function findLimitGroup(type: OrderMessageType): { types: readonly OrderMessageType[]; label: string } | null {
  if (!hasMessageRules(type)) return { types: MILESTONE_TYPES.filter((one) => one !== 'cancelled'), label: 'milestones' };
  const label = MESSAGE_RULES[type].limitLabel;
  return label === null ? null : { types: [type], label };
}

/** Returns the reason why a message that was applied and reversed is not applied again. */
export function alreadyReversedReason({ type }: OrderMessage): string {
  switch (type) {
    case 'parcel_added':
      return 'the label of this parcel was voided; send a new parcel id';
    case 'payment_recorded':
      return 'this payment was reversed; send a new payment id';
    case 'credit_noted':
      return 'this credit note was reversed; send a new credit note id';
    default:
      return 'this milestone was corrected; send a new milestoneId';
  }
}

export const limitReason = (label: string): string =>
  `this order already has the maximum of ${MAX_PER_KIND} ${label}` +
  (label === 'cancels' ? '' : '; you can still cancel it, void parcels, and reverse payments and credit notes');
