import { statusLabel } from '../../shared/words';

/** The counts in the result of a scheduled run, such as `orders 0, scanned 212`. */
export function resultWords(result: Readonly<Record<string, unknown>>): string {
  const numbers = Object.entries(result).filter(([, value]) => typeof value === 'number');
  if (numbers.length === 0) return 'nothing to do';
  return numbers.map(([name, value]) => `${statusLabel(name.replaceAll(/([A-Z])/g, ' $1')).toLowerCase()} ${String(value)}`).join(', ');
}
