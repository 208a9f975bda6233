import type { Of } from '../api/types';
import { known } from './known';

type Code = Of<'OpenAttention'>['code'];

/** Why somebody has to look at an order; those of money are for the office. What is missing here does not compile. */
const KNOWN: Readonly<Record<Code, 'all' | 'office'>> = {
  SHIPPED_AFTER_CANCEL: 'all',
  PAID_BUT_VOID: 'office',
  ARTWORK_MISSING: 'all',
  ARTWORK_UNREADABLE: 'all',
  ARTWORK_CHANGED: 'all',
  ARTWORK_LOW_RESOLUTION: 'all',
  SIGNAL_REFUSED: 'all',
  DELIVERY_FAILED: 'all',
  CONFIRMATION_FAILED: 'all',
  CONFIRMATION_WITHHELD: 'all',
  CANCELLATION_REQUESTED: 'all',
};
export const ATTENTION_CODES = Object.keys(KNOWN) as Code[];

/** Under which the API finds whatever needs a person, as far as who asks is told of it. */
export const anyAttention = (mayOffice: boolean): 'any' | 'work' => (mayOffice ? 'any' : 'work');

/** Whether it is about money, of which the floor is not told. */
export const isAboutMoney = (code: string): boolean => known<string>(KNOWN, code) === 'office';
