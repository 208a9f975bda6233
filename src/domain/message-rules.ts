import { MILESTONE_TYPES, type MilestoneType, type OrderMessage, type OrderMessageType } from './order-message-types';

/**
 * Messages besides milestones, and cancels. `counted`: what they are called; null: not counted, so that a milestone, parcel, payment or
 * credit note of a full order can still be taken back.
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

/** Changes what the account owes or has, so that its row is locked before the order's (ruling 54). */
export const movesMoney = (message: OrderMessage): message is MoneyMessage =>
  hasMessageRules(message.type) && MESSAGE_RULES[message.type].movesMoney;

/** At most this many of each kind below are applied to one order, and as many refusals kept in its timeline. */
export const MAX_PER_KIND = 200;

/** The types that count together with this one, and their name; null: not counted. Cancels count alone: only the first has an effect. */
export function findLimitGroup(type: OrderMessageType): { types: readonly OrderMessageType[]; called: string } | null {
  if (!hasMessageRules(type)) return { types: MILESTONE_TYPES.filter((one) => one !== 'cancelled'), called: 'milestones' };
  const called = MESSAGE_RULES[type].counted;
  return called === null ? null : { types: [type], called };
}

export const limitReason = (label: string): string =>
  `this order has ${MAX_PER_KIND} ${label} and takes no more` +
  (label === 'cancels' ? '' : '; it can still be cancelled, and parcels, payments and credit notes taken back');

/** Why a message that was applied and then taken back is not applied again. */
export function alreadyReversedReason({ type }: OrderMessage): string {
  switch (type) {
    case 'parcel_added':
      return 'the label of this parcel was voided; a new parcel takes a new parcel id';
    case 'payment_recorded':
      return 'this payment was reversed; a new payment takes a new payment id';
    case 'credit_noted':
      return 'this credit note was reversed; a new credit note takes a new credit note id';
    default:
      return 'this milestone was corrected; one that is true takes a new milestoneId';
  }
}
