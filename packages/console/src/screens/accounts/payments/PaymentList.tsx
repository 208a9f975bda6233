import { page, studio } from '../../../api/studio';
import type { Environment, Of } from '../../../api/types';
import { ListTable, useList, type Column } from '../../../shared/list';
import { Money } from '../../../shared/money';
import { When } from '../../../shared/when';
import { useAddress } from '../../../shared/address';
import type { Account } from '../draft';
import { To } from '../../../shared/to';
import { Reverse } from './Reverse';

type Row = Of<'AccountPaymentRow'>;

/** Payments on account, newest first. */
export function PaymentList({ account: { id }, environment, currency }: { account: Account; environment: Environment; currency: string }) {
  const [, change] = useAddress();
  const list = useList<Row>(['payments', id, environment], (cursor) =>
    page(studio.GET('/accounts/{id}/payments', { params: { path: { id }, query: { environment, cursor } } })),
  );
  return (
    <ListTable
      label="Payments"
      list={list}
      columns={columnsIn(currency)}
      keyOf={({ paymentId }) => paymentId}
      empty="No payment over invoices yet. “Take a payment” records one; what was paid on a single order stands with its invoice."
      open={({ paymentId }) => change({ payment: paymentId }, 'goes')}
    />
  );
}

const columnsIn = (currency: string): readonly Column<Row>[] => [
  { heading: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'From', cell: ({ source }) => (source === 'credit' ? 'credit' : 'the bank') },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Invoices', right: true, cell: ({ invoiceCount }) => invoiceCount },
  { heading: 'Left as credit', right: true, cell: ({ unappliedCents }) => <Money cents={unappliedCents} currency={currency} /> },
  { heading: 'Payment', cell: (payment) => <PaymentLink of={payment} /> },
  { heading: '', cell: (payment) => <Reverse payment={payment} currency={currency} /> },
];

function PaymentLink({ of: { paymentId, accountId } }: { of: Row }) {
  return (
    <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments', payment: paymentId }} className="mono">
      {paymentId}
    </To>
  );
}
