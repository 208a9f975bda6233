/** The areas of attention: production and shipping (`work`), webhooks and mails to clients (`messages`), and `money`. The office handles the last two. */
export const ATTENTION_ABOUT = ['work', 'messages', 'money'] as const;
export type AttentionAbout = (typeof ATTENTION_ABOUT)[number];

/** Reasons for attention. docs/studio-api.md, "Attention", says when each is raised (rulings 47 and 58). */
const ABOUT_BY_CODE = {
  SHIPPED_AFTER_CANCEL: 'work',
  PAID_BUT_VOID: 'money',
  PAYMENT_REPEATED: 'money',
  ARTWORK_MISSING: 'work',
  ARTWORK_UNREADABLE: 'work',
  ARTWORK_CHANGED: 'work',
  ARTWORK_LOW_RESOLUTION: 'work',
  ARTWORK_SEVERAL_PAGES: 'work',
  ARTWORK_SHAPE_DIFFERS: 'work',
  ARTWORK_REJECTED: 'work',
  SIGNAL_REFUSED: 'work',
  DELIVERY_FAILED: 'messages',
  CONFIRMATION_FAILED: 'messages',
  CONFIRMATION_WITHHELD: 'messages',
  MAIL_REFUSED: 'messages',
  ORDER_MAIL_FAILED: 'messages',
  CANCELLATION_REQUESTED: 'work',
} as const satisfies Record<string, AttentionAbout>;
export type AttentionCode = keyof typeof ABOUT_BY_CODE;
export const ATTENTION_CODES = Object.keys(ABOUT_BY_CODE) as AttentionCode[];

export const codesAbout = (about: AttentionAbout): AttentionCode[] => ATTENTION_CODES.filter((code) => ABOUT_BY_CODE[code] === about);
