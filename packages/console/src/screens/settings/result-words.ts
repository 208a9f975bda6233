import { wordsOf } from '../../shared/status';

/** What a run did, such as `looked 212, orders 0`: figures and times by the names that the API gives them. */
export function resultWords(result: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(result).filter(
    ([, value]) => typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean',
  );
  if (told.length === 0) return 'nothing to tell';
  return told.map(([name, value]) => `${wordsOf(name.replaceAll(/([A-Z])/g, ' $1')).toLowerCase()} ${String(value)}`).join(', ');
}
