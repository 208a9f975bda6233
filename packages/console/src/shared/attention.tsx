import { Textarea } from '@mantine/core';
import { callApi, studio } from '../api/studio';
import type { KnownValue, Schema } from '../api/types';
import { useMay } from '../session/session';
import { Action } from './action';
import { useActionForm } from './form';
import { ownValue } from './own-value';
import { capitalize, statusLabel } from './status';
import { TextLink } from './text-link';
import { reasonInWords } from './words';

type Code = KnownValue<Schema<'OpenAttention'>['code']>;

/** The role that sees each code. A missing code does not compile. */
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
  DELIVERY_FAILED: 'office',
  CONFIRMATION_FAILED: 'office',
  CONFIRMATION_WITHHELD: 'office',
  CANCELLATION_REQUESTED: 'all',
};
export const ATTENTION_CODES = Object.keys(KNOWN) as Code[];

/** The API's filter for all attention that the role sees. */
export const anyAttention = (mayOffice: boolean): 'any' | 'work' => (mayOffice ? 'any' : 'work');

/** Whether it is about money or messages to clients, which the floor does not see. */
export const isForOffice = (code: string): boolean => ownValue<string>(KNOWN, code) === 'office';

const DELIVERY = /\b(dlv_[0-9a-f]+)\b/;

/** The message of attention. For the office, a delivery in it links to its attempts. */
export function AttentionMessage({ of }: { of: string }) {
  const mayOffice = useMay('office');
  const words = capitalize(reasonInWords(of));
  const [before = '', delivery, after = ''] = words.split(DELIVERY);
  if (!mayOffice || delivery === undefined) return words;
  return (
    // One child: cells of cards on phones are flex boxes.
    <span>
      {before}
      <TextLink to="/deliveries/$delivery" params={{ delivery }} underline="always" c="inherit" className="mono short">
        {delivery}
      </TextLink>
      {after}
    </span>
  );
}

interface ResolveProps {
  order: Pick<Schema<'OpenAttention'>, 'orderId' | 'orderNumber'>;
  code: Schema<'OpenAttention'>['code'];
  /** One of several buttons of an order, so its name has the code. */
  beside?: 'others';
}

export function ResolveAttention({ order: { orderId, orderNumber }, code, beside }: ResolveProps) {
  const form = useActionForm(
    () => ({ note: '' }),
    ({ note }) => ({ note: note.trim() === '' && 'Enter a note' }),
  );
  const name = statusLabel(code).toLowerCase();
  return (
    <Action
      label="Resolve"
      {...(beside === undefined ? {} : { target: name })}
      title={`Resolve ${name}: ${orderNumber}`}
      consequences={['It leaves the list until it happens again.', 'The client is not notified.']}
      {...form.action}
      done={() => `${orderNumber}: ${name} resolved`}
      run={() =>
        callApi(
          studio.POST('/orders/{id}/attention/{code}/resolve', {
            params: { path: { id: orderId, code: code as Code } },
            body: { note: form.values.note.trim() },
          }),
        )
      }
    >
      <Textarea label="Note" description="Shown in the audit log." required maxLength={2000} data-autofocus {...form.field('note')} />
    </Action>
  );
}
