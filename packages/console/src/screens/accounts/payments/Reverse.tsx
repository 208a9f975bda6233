import { ask, studio } from '../../../api/studio';
import type { Of } from '../../../api/types';
import { Action } from '../../../shared/action';
import { formatMoney } from '../../../shared/amount';
import { When } from '../../../shared/when';

/** Takes a payment back as a whole; says so where that has been done. */
export function Reverse({ payment, currency }: { payment: Of<'AccountPaymentRow'>; currency: string }) {
  const { accountId: id, paymentId, amountCents, unappliedCents, invoiceCount, reversedAt, source } = payment;
  if (reversedAt !== null)
    return (
      <>
        Reversed <When at={reversedAt} />
      </>
    );
  const applied = amountCents - unappliedCents;
  const invoices = `${invoiceCount} ${invoiceCount === 1 ? 'invoice' : 'invoices'}`;
  return (
    <Action
      label="Reverse"
      to={`the payment of ${formatMoney(amountCents, currency)}`}
      title={`Reverse ${formatMoney(amountCents, currency)} (${paymentId})`}
      danger
      says={[
        ...(invoiceCount > 0 ? [`${formatMoney(applied, currency)} is owed again, on ${invoices}.`] : []),
        ...(source === 'credit' ? ['The credit that it used comes back to the account.'] : []),
        ...(unappliedCents > 0
          ? [`${formatMoney(unappliedCents, currency)} goes from the credit; it is refused where that has been used.`]
          : []),
        'All of it or nothing: for a part, reverse it and record the right one. The client is not told.',
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/accounts/{id}/payments/{paymentId}', { params: { path: { id, paymentId } } }))}
      done={() => `${formatMoney(amountCents, currency)} is reversed`}
    />
  );
}
