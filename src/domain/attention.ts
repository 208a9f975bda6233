/** Why somebody at the studio has to look at an order; docs/studio-api.md, "Attention", says when each is raised (rulings 47 and 58). */
export const ATTENTION_CODES = [
  'SHIPPED_AFTER_CANCEL',
  'PAID_BUT_VOID',
  'ARTWORK_MISSING',
  'ARTWORK_UNREADABLE',
  'ARTWORK_CHANGED',
  'ARTWORK_LOW_RESOLUTION',
  'SIGNAL_REFUSED',
  'DELIVERY_FAILED',
  'CONFIRMATION_FAILED',
  'CANCELLATION_REQUESTED',
] as const;
export type AttentionCode = (typeof ATTENTION_CODES)[number];

/** What attention is about: what is made and sent, or money, which is for the office. */
export const ATTENTION_ABOUT = ['work', 'money'] as const;
export type AttentionAbout = (typeof ATTENTION_ABOUT)[number];
const ABOUT_MONEY: readonly AttentionCode[] = ['PAID_BUT_VOID'];

export function codesAbout(about: AttentionAbout): AttentionCode[] {
  return ATTENTION_CODES.filter((code) => ABOUT_MONEY.includes(code) === (about === 'money'));
}
