import type { ValidationIssue } from '../errors';
import type { PriceBook } from './price-book';

/** The fields that all books must share once money is booked: statements add up amounts, and their days depend on the time zone. */
export const FIXED_TERMS = ['currency', 'timeZone'] as const;
export type FixedTerms = Pick<PriceBook, (typeof FIXED_TERMS)[number]>;

/** Unknown terms are absent. */
export interface TermsInUse {
  /** The terms of the ledgers' entries, live or test; empty without entries. */
  booked: Partial<FixedTerms>;
  /** The terms of the newest published book. */
  newest: Partial<FixedTerms>;
  /** Whether a published book is not effective yet. */
  hasUpcomingBook: boolean;
}

/**
 * Returns the issue if a book's currency or time zone prevents its publication. Before the first entry of a ledger a book may change them,
 * effective at once. Quotes in an old currency can then no longer be ordered.
 */
export function fixedTermIssue(book: FixedTerms & { isForLater: boolean }, inUse: TermsInUse): ValidationIssue | null {
  for (const term of FIXED_TERMS) {
    const issue = issueOf(term, book, inUse);
    if (issue !== null) return issue;
  }
  return null;
}

function issueOf(
  term: keyof FixedTerms,
  book: FixedTerms & { isForLater: boolean },
  { booked: { [term]: booked }, newest: { [term]: newest }, hasUpcomingBook }: TermsInUse,
): ValidationIssue | null {
  const [name, path, value] = [NAMES[term], `book.${term}`, canonical(term, book[term])];
  if (booked !== undefined && value !== canonical(term, booked))
    return { path, message: `must be ${booked}, because money, live or test, was already booked in this ${name}` };
  if (newest === undefined || value === canonical(term, newest)) return null;
  if (book.isForLater)
    return { path: 'effectiveAt', message: `must be left out: a book that changes the ${name} from ${newest} takes effect at once` };
  if (hasUpcomingBook) return { path, message: `must be ${newest} until the last published book, which uses it, is in force` };
  return null;
}

const NAMES = { currency: 'currency', timeZone: 'time zone' } as const;

/** Time zones have aliases: Australia/Victoria is Australia/Melbourne. */
const canonical = (term: keyof FixedTerms, value: string): string =>
  term === 'timeZone' ? new Intl.DateTimeFormat('en-AU', { timeZone: value }).resolvedOptions().timeZone : value;
