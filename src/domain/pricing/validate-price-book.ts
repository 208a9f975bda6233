import type { ValidationIssue } from '../errors';
import { agreementFaults } from './book-agreement';
import { priceBookSchema } from './book-schema';
import type { PriceBook } from './price-book';

/** Every fault of a book that the studio wants to publish, each with its dotted path; empty when it may price. */
export function validatePriceBook(doc: unknown): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  priceBookSchema(doc, '', issues);
  // What follows reads the parts together, which only a book of the right shape allows.
  return issues.length > 0 ? issues : agreementFaults(doc as PriceBook);
}
