import type { Of } from '../../api/types';
import { centsOf, formatMoney, hundredthsOf } from '../../shared/amount';

export type Account = Of<'Account'>;
export type CreditKind = 'amount' | 'without' | 'none';

export interface Draft {
  name: string;
  email: string;
  /** Per cent. */
  discount: string;
  credit: CreditKind;
  /** In money, of `amount`. */
  limit: string;
  terms: string;
}
type Fields = Pick<Account, 'name' | 'email' | 'tradeDiscountBps' | 'creditLimitCents' | 'paymentTermsDays'>;

export const EMPTY: Draft = { name: '', email: '', discount: '0', credit: 'amount', limit: '', terms: '30' };

const WHOLE_BPS = 10_000;

/** Hundredths of a per cent of what was typed in per cent; null where it is none from 0 to 100. */
export function bpsOf(typed: string): number | null {
  const bps = hundredthsOf(typed.trim().replace(/%$/, ''));
  return bps === null || bps < 0 || bps > WHOLE_BPS ? null : bps;
}

export const percentOf = (bps: number): string => `${new Intl.NumberFormat('en-AU', { maximumFractionDigits: 2 }).format(bps / 100)} %`;

/** Days of payment terms; null where it is no whole number from 0 to 365. */
export function daysOf(typed: string): number | null {
  const days = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return days <= 365 ? days : null;
}

/** The limit in cents: null is without limit; undefined where what was typed is no amount. */
export function limitOf({ credit, limit }: Pick<Draft, 'credit' | 'limit'>, currency: string): number | null | undefined {
  if (credit === 'without') return null;
  if (credit === 'none') return 0;
  const cents = centsOf(limit, currency);
  return cents === null || cents <= 0 ? undefined : cents;
}

export function draftOf(account: Fields): Draft {
  const { creditLimitCents: limit } = account;
  return {
    name: account.name,
    email: account.email,
    discount: String(account.tradeDiscountBps / 100),
    credit: limit === null ? 'without' : limit === 0 ? 'none' : 'amount',
    limit: limit ? formatMoney(limit, '').trim() : '',
    terms: String(account.paymentTermsDays),
  };
}

/** What is sent of it; null while something of it will not do. */
export function fieldsOf(draft: Draft, currency: string): Fields | null {
  const tradeDiscountBps = bpsOf(draft.discount);
  const paymentTermsDays = daysOf(draft.terms);
  const creditLimitCents = limitOf(draft, currency);
  const [name, email] = [draft.name.trim(), draft.email.trim()];
  if (name === '' || !email.includes('@') || tradeDiscountBps === null || paymentTermsDays === null || creditLimitCents === undefined)
    return null;
  return { name, email, tradeDiscountBps, creditLimitCents, paymentTermsDays };
}

export function limitWords(cents: number | null, currency: string): string {
  if (cents === null) return 'without limit';
  return cents === 0 ? 'no credit' : formatMoney(cents, currency);
}

/** What was typed, as it was understood: `Its discount is 7.5 %, its credit limit AUD 5,000.00.` */
export function termsInWords({ tradeDiscountBps, creditLimitCents }: Fields, currency: string): string {
  const limit = creditLimitCents === 0 ? 'it has no credit' : `its credit limit ${limitWords(creditLimitCents, currency)}`;
  const credit = creditLimitCents === null ? 'its credit is without limit' : limit;
  return `Its discount is ${percentOf(tradeDiscountBps)}, ${credit}.`;
}

export interface Change {
  field: keyof Fields;
  name: string;
  before: string;
  after: string;
}

export function changesOf(account: Fields, next: Fields, currency: string): Change[] {
  const words: Readonly<Record<keyof Fields, [string, (of: Fields) => string]>> = {
    name: ['Name', (of) => of.name],
    email: ['E-mail', (of) => of.email],
    tradeDiscountBps: ['Discount', (of) => percentOf(of.tradeDiscountBps)],
    creditLimitCents: ['Credit limit', (of) => limitWords(of.creditLimitCents, currency)],
    paymentTermsDays: ['Payment terms', (of) => `${of.paymentTermsDays} days`],
  };
  const fields = Object.keys(words) as (keyof Fields)[];
  return fields
    .filter((field) => account[field] !== next[field])
    .map((field) => ({ field, name: words[field][0], before: words[field][1](account), after: words[field][1](next) }));
}
