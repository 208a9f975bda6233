import { wordsOf } from '../../shared/status';

/** What a run did, such as `orders 0, looked 212`: its figures, by the names that the API gives them. */
export function resultWords(result: Readonly<Record<string, unknown>>): string {
  const figures = Object.entries(result).filter(([, value]) => typeof value === 'number');
  if (figures.length === 0) return 'nothing to do';
  return figures.map(([name, value]) => `${wordsOf(name.replaceAll(/([A-Z])/g, ' $1')).toLowerCase()} ${String(value)}`).join(', ');
}
