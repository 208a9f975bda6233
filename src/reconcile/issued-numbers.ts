import { parseNumber, type NumberedKind } from '../domain/order-number';
import type { Environment } from '../domain/limits';

/** The highest numbers known to have been given out, by orders' runs or by somebody who knows. */
export interface IssuedNumbers {
  /** Figures; 0 where none is known. */
  highest: Record<Environment, Record<NumberedKind, number>>;
  /** Per order's number how far the numbers of its remakes go. */
  remakes: Map<string, number>;
}

/** What these numbers say together; a text that is none says nothing. */
export function issuedNumbersIn(numbers: Iterable<string>): IssuedNumbers {
  const none = () => ({ order: 0, invoice: 0, credit_note: 0 });
  const issued: IssuedNumbers = { highest: { live: none(), test: none() }, remakes: new Map() };
  for (const text of numbers) {
    const number = parseNumber(text);
    if (number === null) continue;
    const { of: kind, environment, figures, remake } = number;
    issued.highest[environment][kind] = Math.max(issued.highest[environment][kind], figures);
    if (remake !== null) issued.remakes.set(remake.original, Math.max(remake.series, issued.remakes.get(remake.original) ?? 0));
  }
  return issued;
}
