import type { QuoteToTry } from '../db/repositories/tried-quotes';
import type { BookDifference } from '../domain/price-book/differences';
import type { QuoteTrial } from '../domain/pricing/trial';
import type { PriceBookRow, PriceBookSummary } from '../db/repositories/price-books';
import { fieldsOf } from './fields';

export const presentPriceBookSummary = (book: PriceBookSummary) =>
  fieldsOf(book, 'version', 'sha256', 'effective_at', 'published_by', 'created_at');

export function presentPriceBook(row: PriceBookRow) {
  return { ...presentPriceBookSummary(row), book: JSON.parse(row.document) as unknown };
}

interface TrialView {
  inForce: number;
  currency: string;
  tried: readonly { quote: QuoteToTry; trial: QuoteTrial }[];
}

/** The price changes that a draft would cause, per line and in total, in cents (studio API "Endpoints"). */
export function presentTrial({ inForce, currency, tried }: TrialView) {
  const priced = tried.flatMap(({ quote, trial }) => (trial.outcome === 'priced' ? [{ quote, trial }] : []));
  const sumOf = (side: 'before' | 'after'): number => priced.reduce((sum, { trial }) => sum + trial[side].totalCents, 0);
  return {
    inForce,
    currency,
    looked: tried.length,
    priced: priced.length,
    totalBeforeCents: sumOf('before'),
    totalAfterCents: sumOf('after'),
    lines: priced.flatMap(({ quote, trial }) =>
      trial.lines.map((line) => ({ quoteId: quote.id, accountName: quote.account_name, ...line })),
    ),
    quotes: priced.filter(({ trial }) => trial.before.totalCents !== trial.after.totalCents).map(presentQuoteChange),
    unpriced: tried.flatMap(({ quote, trial }) =>
      trial.outcome === 'priced'
        ? []
        : [{ quoteId: quote.id, refusedBy: trial.outcome === 'refused' ? 'draft' : 'today', reason: trial.reason }],
    ),
  };
}

function presentQuoteChange({ quote, trial: { before, after } }: { quote: QuoteToTry; trial: Extract<QuoteTrial, { outcome: 'priced' }> }) {
  return {
    quoteId: quote.id,
    accountId: quote.account_id,
    createdAt: quote.created_at.toISOString(),
    shippingBeforeCents: before.shippingCents,
    shippingAfterCents: after.shippingCents,
    totalBeforeCents: before.totalCents,
    totalAfterCents: after.totalCents,
  };
}

export function presentDifferences(version: number, against: number, differences: readonly BookDifference[]) {
  return { version, against, differences: differences.map(presentDifference) };
}

function presentDifference({ path, before, after }: BookDifference) {
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return { path, change, before: before ?? null, after: after ?? null };
}
