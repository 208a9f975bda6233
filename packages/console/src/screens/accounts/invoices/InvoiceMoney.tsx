import { Anchor, Paper, Title } from '@mantine/core';
import { To } from '../../../shared/to';
import type { Of } from '../../../api/types';
import { Money } from '../../../shared/money';
import { When } from '../../../shared/when';
import { Rows, type RowsColumn } from '../../../shared/rows';

type Whole = Of<'WholeInvoice'>;

/** A share of a payment on account has this before the payment's own id. */
const ON_ACCOUNT = 'account:';

/** What was paid of an invoice. */
export function PaymentsOf({ invoice }: { invoice: Whole }) {
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="xs">
        Payments
      </Title>
      <Rows
        empty="Nothing was paid yet."
        label="Payments of the invoice"
        rows={invoice.payments}
        keyOf={({ paymentId }) => paymentId}
        columns={paymentColumns(invoice)}
      />
    </Paper>
  );
}

const paymentColumns = ({ currency, accountId }: Whole): readonly RowsColumn<Whole['payments'][number]>[] => [
  { heading: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Payment', cell: ({ paymentId }) => <PaymentOf id={paymentId} accountId={accountId} /> },
  { heading: 'Reversed', cell: ({ reversedAt }) => reversedAt !== null && <When at={reversedAt} /> },
];

function PaymentOf({ id, accountId }: { id: string; accountId: string }) {
  if (!id.startsWith(ON_ACCOUNT)) return <span className="mono">{id}</span>;
  const payment = id.slice(ON_ACCOUNT.length);
  return (
    <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments', payment }} className="mono">
      {payment}
    </To>
  );
}

/** What was credited of it. */
export function NotesOf({ invoice }: { invoice: Whole }) {
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="xs">
        Credit notes
      </Title>
      <Rows
        empty="Nothing was credited."
        label="Credit notes of the invoice"
        rows={invoice.creditNotes}
        keyOf={({ id }) => id}
        columns={noteColumns(invoice)}
      />
    </Paper>
  );
}

const noteColumns = ({ currency }: Whole): readonly RowsColumn<Whole['creditNotes'][number]>[] => [
  { heading: 'Number', cell: ({ creditNoteNumber }) => <b>{creditNoteNumber}</b> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'Reason', cell: ({ reason }) => reason },
  { heading: 'Written', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Document', cell: ({ creditNoteNumber }) => <NotePdf number={creditNoteNumber} /> },
];

function NotePdf({ number }: { number: string }) {
  return (
    <Anchor inherit href={`/studio/v1/credit-notes/${number}.pdf`} target="_blank" rel="noopener" aria-label={`PDF of ${number}`}>
      PDF
    </Anchor>
  );
}
