import type { Schema } from '../../api/studio';
import { formatAmount, formatMoney, parseCents } from '../../shared/amount';

export type Account = Schema<'Account'>;
export type Terms = Pick<Account, 'name' | 'email' | 'tradeDiscountBps' | 'creditLimitCents' | 'paymentTermsDays'> & {
  readyMail: ReadyMail;
};

/** The values of the form's fields. */
export interface AccountValues {
  name: string;
  email: string;
  discountPercent: string | number;
  credit: 'limited' | 'unlimited' | 'none';
  /** The credit limit, if `limited`. */
  limit: string;
  termsDays: string | number;
  readyMail: string;
}

export const NEW_ACCOUNT: AccountValues = {
  name: '',
  email: '',
  discountPercent: 0,
  credit: 'limited',
  limit: '',
  termsDays: 30,
  readyMail: 'customer',
};

export const formatPercent = (bps: number): string => `${(bps / 100).toLocaleString('en-AU', { maximumFractionDigits: 2 })}%`;

export function formatLimit(cents: number | null, currency: string): string {
  if (cents === null) return 'Unlimited';
  return cents === 0 ? 'No credit' : formatMoney(cents, currency);
}

export function valuesOf({
  name,
  email,
  tradeDiscountBps,
  creditLimitCents: limit,
  paymentTermsDays,
  readyMail,
}: Pick<Account, keyof Terms>): AccountValues {
  const credit = limit === null ? 'unlimited' : limit === 0 ? 'none' : 'limited';
  return {
    name,
    email,
    discountPercent: tradeDiscountBps / 100,
    credit,
    limit: limit ? formatAmount(limit) : '',
    termsDays: paymentTermsDays,
    readyMail,
  };
}

export function termsOf(values: AccountValues, currency: string): Terms {
  const limitCents = { limited: parseCents(values.limit, currency) ?? 0, unlimited: null, none: 0 };
  return {
    name: values.name.trim(),
    email: values.email.trim(),
    tradeDiscountBps: Math.round(Number(values.discountPercent) * 100),
    creditLimitCents: limitCents[values.credit],
    paymentTermsDays: Number(values.termsDays),
    readyMail: values.readyMail as ReadyMail,
  };
}

/** Who gets a mail when an order to collect is ready. */
export const READY_MAILS = { customer: 'Customer', account: 'Account', none: 'No email' } as const;
type ReadyMail = keyof typeof READY_MAILS;

export const problemsOf = ({ name, email, discountPercent, credit, limit, termsDays }: AccountValues, currency: string) => ({
  name: name.trim() === '' && 'Enter a name',
  email: !/^\S+@\S+$/.test(email.trim()) && 'Enter an email address',
  discountPercent: !isWithin(discountPercent, 100) && 'Enter a discount from 0 to 100%',
  limit: credit === 'limited' && (parseCents(limit, currency) ?? 0) <= 0 && 'Enter a credit limit, such as 5000',
  termsDays: !isWithin(termsDays, 365) && 'Enter payment terms from 0 to 365 days',
});

const isWithin = (typed: string | number, max: number): boolean => typed !== '' && Number(typed) >= 0 && Number(typed) <= max;
