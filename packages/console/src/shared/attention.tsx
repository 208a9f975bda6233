import { Textarea, type TextareaProps } from '@mantine/core';
import { callApi, type KnownValue, type Schema, studio } from '../api/studio';
import { useHasRole } from '../session/session';
import { Action, useActionForm } from './action';
import { ownValue } from './own-value';
import { capitalize, reasonInWords, statusLabel } from './words';
import { TextLink } from './text-link';
export type AttentionCode = KnownValue<Schema<'OpenAttention'>['code']>;

type Words = readonly [role: 'all' | 'office', title: string, advice: string];

/** The role that sees each code, its title and the usual solution. A missing code does not compile. */
const KNOWN: Readonly<Record<AttentionCode, Words>> = {
  SHIPPED_AFTER_CANCEL: ['all', 'Shipped after the cancellation', 'Ask the carrier to return the parcel, then void it.'],
  PAID_BUT_VOID: ['office', 'Paid, but the invoice is void', 'The payment is credit now. Refund it or use it for other invoices.'],
  PAYMENT_REPEATED: ['office', 'Payment recorded twice', 'If both are the same bank line, reverse one payment. Otherwise resolve this.'],
  ARTWORK_MISSING: ['all', 'Artwork missing', 'Ask the client to upload the file again.'],
  ARTWORK_UNREADABLE: ['all', 'Artwork unreadable', 'Ask the client for another file.'],
  ARTWORK_CHANGED: ['all', 'Artwork changed after the order', 'Ask the client which file to print.'],
  ARTWORK_LOW_RESOLUTION: ['all', 'Artwork resolution too low', 'Ask the client for a larger file.'],
  ARTWORK_SEVERAL_PAGES: ['all', 'Artwork has several pages', 'Check that the preview shows the right page, then resolve this.'],
  ARTWORK_SHAPE_DIFFERS: ['all', 'Picture and print differ in shape', 'Choose on the line whether to crop it or to leave white margins.'],
  ARTWORK_REJECTED: ['all', 'Artwork rejected', 'Ends when the client replaces the artwork or you undo the rejection.'],
  SIGNAL_REFUSED: ['all', 'Message from the floor refused', 'If the step happened, record it on the order.'],
  DELIVERY_FAILED: ['office', 'Webhooks not delivered', 'Ask the client to repair the endpoint, then resend its webhooks.'],
  CONFIRMATION_FAILED: ['office', 'Confirmation email refused', 'Read the reason. If the address is wrong, ask for the right one.'],
  CONFIRMATION_WITHHELD: ['office', 'Confirmation email not sent', 'The account cancelled many orders. Confirm the order yourself.'],
  MAIL_REFUSED: ['office', 'Mail with a document refused', 'Correct what the reason names, then send the document again.'],
  ORDER_MAIL_FAILED: ['office', 'Email about the order not sent', 'Contact the recipient yourself, then resolve this.'],
  CANCELLATION_REQUESTED: ['all', 'Cancellation requested in Temporal', 'Cancel the order, or resolve this and continue.'],
};
export const ATTENTION_CODES = Object.keys(KNOWN) as AttentionCode[];

/** Title and usual solution of attention, or of an issue that the client sees. */
export function attentionWords(code: string): { title: string; advice: string } {
  const [, title = statusLabel(code), advice = ''] = ownValue<Words>(KNOWN, code) ?? [];
  return { title, advice };
}

/** Whether it is about money or messages to clients, which the floor does not see. */
export const isForOffice = (code: string): boolean => ownValue<Words>(KNOWN, code)?.[0] === 'office';

const DELIVERY = /\b(dlv_[0-9a-f]+)\b/;

/** The message of attention. For the office, a delivery in it links to its attempts. */
export function AttentionMessage({ of }: { of: string }) {
  const isOffice = useHasRole('office');
  const words = capitalize(reasonInWords(of));
  const [before = '', delivery, after = ''] = words.split(DELIVERY);
  if (!isOffice || delivery === undefined) return words;
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

/** Resolves attention of an order. @throws Refusal */
export function resolveAttention(orderId: string, code: string, note: string) {
  const path = { id: orderId, code: code as AttentionCode };
  return callApi(studio.POST('/orders/{id}/attention/{code}/resolve', { params: { path }, body: { note: note.trim() } }));
}

export const useNoteForm = () =>
  useActionForm(
    () => ({ note: '' }),
    ({ note }) => ({ note: note.trim() === '' && 'Enter a note' }),
  );

export function NoteInput(field: TextareaProps) {
  return <Textarea label="Note" description="Shown in the audit log." required maxLength={2000} data-autofocus {...field} />;
}

export function ResolveAttention({
  order: { orderId, orderNumber },
  code,
}: {
  order: Pick<Schema<'OpenAttention'>, 'orderId' | 'orderNumber'>;
  code: string;
}) {
  const form = useNoteForm();
  const { title } = attentionWords(code);
  return (
    <Action
      label="Resolve"
      target={`“${title}” of ${orderNumber}`}
      title={`Resolve “${title}” of ${orderNumber}`}
      consequences={['It leaves the list until the problem occurs again.', 'The client is not notified.']}
      {...form.action}
      toast={() => `${orderNumber}: “${title}” resolved`}
      run={() => resolveAttention(orderId, code, form.values.note)}
    >
      <NoteInput {...form.field('note')} />
    </Action>
  );
}
