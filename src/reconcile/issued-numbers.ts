import { parseNumber, type NumberedKind } from '../domain/order-number';
import type { Environment } from '../domain/limits';

/** The highest issued numbers, known from order runs or from operators. */
export interface IssuedNumbers {
  /** 0 if none is known. */
  highest: Record<Environment, Record<NumberedKind, number>>;
  /** The highest remake number of each order number. */
  remakes: Map<string, number>;
}

/** Finds the highest numbers in a list of order, invoice and credit note numbers. Ignores other texts. */
export function issuedNumbersIn(numbers: Iterable<string>): IssuedNumbers {
  const none = () => ({ order: 0, invoice: 0, credit_note: 0 });
  const issued: IssuedNumbers = { highest: { live: none(), test: none() }, remakes: new Map() };
  for (const text of numbers) {
    const number = parseNumber(text);
    if (number === null) continue;
    const { of: kind, environment, figures, remake } = number;
    issued.highest[environment][kind] = Math.max(issued.highest[environment][kind], figures);
    if (remake !== null) issued.remakes.set(remake.original, Math.max(remake.sequence, issued.remakes.get(remake.original) ?? 0));
  }
  return issued;
}
