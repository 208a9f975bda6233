import { Textarea } from '@mantine/core';
import { ask, studio } from '../api/studio';
import type { Known, Of } from '../api/types';
import { useMay } from '../session/session';
import { Action } from './action';
import { useFields } from './fields';
import { known } from './known';
import { capital, wordsOf } from './status';
import { To } from './to';
import { reasonInWords } from './words';

type Code = Known<Of<'OpenAttention'>['code']>;

/** Why somebody has to look at an order; those of money are for the office. What is missing here does not compile. */
const KNOWN: Readonly<Record<Code, 'all' | 'office'>> = {
  SHIPPED_AFTER_CANCEL: 'all',
  PAID_BUT_VOID: 'office',
  PAYMENT_REPEATED: 'office',
  ARTWORK_MISSING: 'all',
  ARTWORK_UNREADABLE: 'all',
  ARTWORK_CHANGED: 'all',
  ARTWORK_LOW_RESOLUTION: 'all',
  ARTWORK_REJECTED: 'all',
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

const DELIVERY = /\b(dlv_[0-9a-f]+)\b/;

/** What is told of something that needs a person; a webhook that it names leads to its attempts, for those who may look at them. */
export function Message({ of }: { of: string }) {
  const mayOffice = useMay('office');
  const words = capital(reasonInWords(of));
  const [before = '', delivery, after = ''] = words.split(DELIVERY);
  if (!mayOffice || delivery === undefined) return words;
  return (
    // One thing on a phone, where a cell sets what is in it beside each other.
    <span>
      {before}
      <To to="/deliveries/$delivery" params={{ delivery }} underline="always" c="inherit" className="mono short">
        {delivery}
      </To>
      {after}
    </span>
  );
}

interface ResolveProps {
  order: Pick<Of<'OpenAttention'>, 'orderId' | 'orderNumber'>;
  code: Of<'OpenAttention'>['code'];
  /** Where an order has one for each kind: then each is told apart by its name. */
  beside?: 'others';
}

export function Resolve({ order: { orderId, orderNumber }, code, beside }: ResolveProps) {
  const { fields, typed, clear } = useFields(() => ({ note: '' }));
  const note = fields.note.trim();
  const words = wordsOf(code).toLowerCase();
  return (
    <Action
      label="Resolve"
      {...(beside === undefined ? {} : { to: words })}
      title={`Resolve: ${words}, order ${orderNumber}`}
      says={[
        `It is taken off the list, with everything else that is open as "${words}" on ${orderNumber}; your note and your name stay in the audit log.`,
        'Nothing else changes, and nobody is told. Should it happen again, it is back.',
      ]}
      onOpen={clear}
      ready={note !== ''}
      done={() => `${orderNumber}: ${words} is seen to`}
      run={() =>
        ask(
          studio.POST('/orders/{id}/attention/{code}/resolve', {
            params: { path: { id: orderId, code: code as Code } },
            body: { note },
          }),
        )
      }
    >
      <Textarea label="What was done about it" required maxLength={2000} data-autofocus {...typed('note')} />
    </Action>
  );
}
