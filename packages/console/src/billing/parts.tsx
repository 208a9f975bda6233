import type { Schema } from '../api/studio';
import { StatusBadge } from '../shared/status';
import { statusLabel } from '../shared/words';
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

/** The id of the account payment that a payment of an invoice is a part of. */
export const accountPaymentId = (paymentId: string): string | undefined => /^account:(.+)$/.exec(paymentId)?.[1];

export function PaymentLink({ accountId, paymentId }: { accountId: string; paymentId: string }) {
  return (
    <TextLink to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments', payment: paymentId }} className="mono">
      {paymentId}
    </TextLink>
  );
}

interface Reversal {
  reversedAt: string | null;
  reversalReason: string | null;
}

export function Reversed({ of: { reversedAt, reversalReason } }: { of: Reversal }) {
  if (reversedAt === null) return null;
  return (
    <>
      <Time at={reversedAt} />: {reversalReason}
    </>
  );
}
