import { ownValue } from './own-value';
import { LABELS } from './terms';

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Label of an API value: `in_production` is "In production". */
export function statusLabel(state: string): string {
  return ownValue(LABELS, state) ?? capitalize(state.replaceAll('_', ' ').toLowerCase());
}
