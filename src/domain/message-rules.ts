import { MILESTONE_TYPES, type MilestoneType, type OrderMessage, type OrderMessageType } from './order-message-types';

/**
 * Rules of messages that are no milestones, and of cancels. `counted` is their name in the limit. Null means not counted, so records of a
 * full order can still be reversed.
 */
const MESSAGE_RULES = {
  cancelled: { movesMoney: true, counted: 'cancels' },
  corrected: { movesMoney: false, counted: null },
  parcel_added: { movesMoney: false, counted: 'parcels' },
  parcel_voided: { movesMoney: false, counted: null },
  payment_recorded: { movesMoney: true, counted: 'payments' },
  payment_reversed: { movesMoney: true, counted: null },
  credit_noted: { movesMoney: true, counted: 'credit notes' },
  credit_note_reversed: { movesMoney: true, counted: null },
  changed: { movesMoney: false, counted: 'changes' },
  artwork_replaced: { movesMoney: false, counted: 'replacements of artwork' },
} as const satisfies Record<Exclude<OrderMessageType, MilestoneType> | 'cancelled', { movesMoney: boolean; counted: string | null }>;
type MessageRules = typeof MESSAGE_RULES;
type MoneyType = { [Type in keyof MessageRules]: MessageRules[Type]['movesMoney'] extends true ? Type : never }[keyof MessageRules];
const hasMessageRules = (type: OrderMessageType): type is keyof MessageRules => Object.hasOwn(MESSAGE_RULES, type);
export type MoneyMessage = OrderMessage & { type: MoneyType };
export const MESSAGE_TYPES = [...new Set([...MILESTONE_TYPES, ...Object.keys(MESSAGE_RULES)])] as OrderMessageType[];

/** Whether the message changes the account's balances. Then its row is locked before the order's (ruling 54). */
export const movesMoney = (message: OrderMessage): message is MoneyMessage =>
  hasMessageRules(message.type) && MESSAGE_RULES[message.type].movesMoney;

/** Maximum of applied messages per kind and order, and of refusals in its timeline. */
export const MAX_PER_KIND = 200;

/**
 * The types that share a limit with this one, and their name; null if not counted. Cancels have their own limit: only the first has an
 * effect.
 */
export function findLimitGroup(type: OrderMessageType): { types: readonly OrderMessageType[]; called: string } | null {
  if (!hasMessageRules(type)) return { types: MILESTONE_TYPES.filter((one) => one !== 'cancelled'), called: 'milestones' };
  const called = MESSAGE_RULES[type].counted;
  return called === null ? null : { types: [type], called };
}

/** Why a message that was applied and reversed is not applied again. */
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
