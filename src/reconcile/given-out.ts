import { readNumber, type Numbered } from '../domain/order-number';
import type { Environment } from '../domain/limits';

/** The highest numbers known to have been given out, by orders' runs or by somebody who knows. */
export interface GivenOut {
  /** Figures; 0 where none is known. */
  highest: Record<Environment, Record<Numbered, number>>;
  /** Per order's number how far the numbers of its remakes go. */
  remakes: Map<string, number>;
}

/** What these numbers say together; a text that is none says nothing. */
export function givenOutBy(numbers: Iterable<string>): GivenOut {
  const none = () => ({ order: 0, invoice: 0, credit_note: 0 });
  const known: GivenOut = { highest: { live: none(), test: none() }, remakes: new Map() };
  for (const text of numbers) {
    const number = readNumber(text);
    if (number === null) continue;
    const { of, environment, figures, remake } = number;
    known.highest[environment][of] = Math.max(known.highest[environment][of], figures);
    if (remake !== null) known.remakes.set(remake.original, Math.max(remake.series, known.remakes.get(remake.original) ?? 0));
  }
  return known;
}
