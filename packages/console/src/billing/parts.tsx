import type { Schema } from '../api/studio';
import { Action, useReasonForm } from '../shared/action';
import { ReversalReasonInput } from '../shared/inputs';
import { StatusBadge } from '../shared/status';
import { capitalize, statusLabel } from '../shared/words';
import { TextLink } from '../shared/text-link';
import { Time } from '../shared/time';

/** A badge for an invoice that is overdue, partly paid or void, otherwise text. */
export function InvoiceStatus({ of: { state, overdue } }: { of: Pick<Schema<'InvoiceRow'>, 'state' | 'overdue'> }) {
  if (overdue) return <StatusBadge of="overdue" />;
  return state === 'part_paid' || state === 'void' ? <StatusBadge of={state} /> : <>{statusLabel(state)}</>;
}

export function InvoiceLink({ number }: { number: string }) {
  return (
    <TextLink to="/invoices/$invoice" params={{ invoice: number }} fw={600} className="nowrap">
      {number}
    </TextLink>
  );
}

/** The sources of payments. */
export const PAYMENT_SOURCES: Readonly<Record<string, string>> = { money: 'Bank', credit: 'Credit' };

/** The id of the account payment that a payment of an invoice is a part of. */
export const accountPaymentId = (paymentId: string): string | undefined => /^account:(.+)$/.exec(paymentId)?.[1];

export function PaymentLink({ accountId, paymentId }: { accountId: string; paymentId: string }) {
  return (
    <TextLink to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments', payment: paymentId }} className="mono">
      {paymentId}
    </TextLink>
  );
}

export function Reversed({ of: { reversedAt, reversalReason } }: { of: Pick<Schema<'Refund'>, 'reversedAt' | 'reversalReason'> }) {
  if (reversedAt === null) return null;
  return (
    <>
      <Time at={reversedAt} />: {reversalReason}
    </>
  );
}

interface ReverseProps {
  /** Such as `payment of AUD 12.00`. */
  what: string;
  /** The id of the payment, refund or credit note. */
  subject: string;
  consequences: readonly string[];
  run: (id: string, reason: string) => Promise<unknown>;
}

/** Reverses a payment, refund or credit note. */
export function Reverse({ what, subject, consequences, run }: ReverseProps) {
  const form = useReasonForm();
  return (
    <Action
      label="Reverse"
      target={what}
      title={`Reverse ${what}`}
      danger
      consequences={consequences}
      retry="safe"
      subject={subject}
      run={(id) => run(id, form.values.reason.trim())}
      {...form.action}
      toast={() => `${capitalize(what)} reversed`}
      button={{ size: 'compact-xs' }}
    >
      <ReversalReasonInput {...form.field('reason')} />
    </Action>
  );
}
