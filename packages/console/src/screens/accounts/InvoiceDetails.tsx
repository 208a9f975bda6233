import { Anchor, Button, Grid, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { invoiceQuery } from '../../api/reads';
import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { Action } from '../../shared/action';
import { ON_ACCOUNT } from '../../shared/bank-line';
import { useFields } from '../../shared/fields';
import { useAddress } from '../../shared/address';
import { centsOf, formatMoney } from '../../shared/amount';
import { Rows, type RowsColumn } from '../../shared/list';
import { creditedWords, Money } from '../../shared/money';
import { OrderLink } from '../../shared/orders';
import { FactList, Part } from '../../shared/part';
import { UntoldLine } from '../../shared/settings';
import { Status } from '../../shared/status';
import { To } from '../../shared/to';
import { Refused, Waiting } from '../../shared/told';
import { Day, When } from '../../shared/when';
import type { Account } from './draft';
import { PaymentLink, Reversed } from './parts';

type Whole = Of<'WholeInvoice'>;

export function InvoiceDetails({ number, account }: { number: string; account: Account }) {
  const [, change] = useAddress();
  const { data, error, isPending, refetch } = useQuery(invoiceQuery(number));
  return (
    <Stack gap="sm">
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => change({ invoice: undefined }, 'goes')}>
        All invoices of {account.name}
      </Anchor>
      {isPending && <Waiting what="Reading the invoice" />}
      <Refused error={error} retry={() => void refetch()} />
      {data !== undefined && <Shown invoice={data} account={account} />}
    </Stack>
  );
}

function Shown({ invoice, account }: { invoice: Whole; account: Account }) {
  const { invoiceNumber, environment, dueCents } = invoice;
  return (
    <>
      <Group gap="sm">
        <Title order={2} size="h3">
          Invoice {invoiceNumber}
        </Title>
        <Status of={invoice.state} />
        {environment === 'test' && <Text size="sm">of a test order: nothing is to be paid</Text>}
      </Group>
      {invoice.accountId !== account.id && <Text>It is of another account: {invoice.accountName}.</Text>}
      <Group gap="sm">
        <Button component="a" href={`/studio/v1/invoices/${invoiceNumber}.pdf`} target="_blank" rel="noopener" size="xs" variant="default">
          PDF
        </Button>
        <CreditNote invoice={invoice} />
        {dueCents > 0 && (
          <To to="/accounts/$account" params={{ account: invoice.accountId }} search={{ tab: 'payments' }} size="sm">
            Take a payment
          </To>
        )}
      </Group>
      <UntoldLine />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Figures invoice={invoice} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="sm">
            <PaymentsOf invoice={invoice} />
            <NotesOf invoice={invoice} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Figures({ invoice }: { invoice: Whole }) {
  const money = (cents: number) => <Money cents={cents} currency={invoice.currency} />;
  // What was paid before it was credited is the account's; what is void keeps what was paid of it.
  const overpaidCents = invoice.state === 'void' ? 0 : invoice.paidCents + invoice.creditedCents - invoice.amountCents;
  return (
    <Paper withBorder p="md">
      <FactList
        facts={{
          Amount: money(invoice.amountCents),
          'GST in it': money(invoice.gstCents),
          Paid: money(invoice.paidCents),
          Credited: money(invoice.creditedCents),
          'Went to the account’s credit': overpaidCents > 0 && money(overpaidCents),
          'To pay': <b>{money(invoice.dueCents)}</b>,
          Issued: <When at={invoice.issuedAt} />,
          Due: <Due of={invoice} />,
          'Void since': invoice.voidedAt !== null && <When at={invoice.voidedAt} />,
          Order: <OrderLink number={invoice.orderNumber} />,
        }}
      />
    </Paper>
  );
}

export function Due({ of: { dueDate, overdue } }: { of: Pick<Of<'InvoiceRow'>, 'dueDate' | 'overdue'> }) {
  return (
    <>
      <Day day={dueDate} />
      {overdue && <b> overdue</b>}
    </>
  );
}

function PaymentsOf({ invoice }: { invoice: Whole }) {
  return (
    <Part title="Payments" level={3}>
      <Rows
        empty="Nothing was paid yet."
        label="Payments of the invoice"
        rows={invoice.payments}
        keyOf={({ paymentId }) => paymentId}
        columns={paymentColumns(invoice)}
      />
    </Part>
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
  return <PaymentLink accountId={accountId} paymentId={id.slice(ON_ACCOUNT.length)} />;
}

function NotesOf({ invoice }: { invoice: Whole }) {
  return (
    <Part title="Credit notes" level={3}>
      <Rows
        empty="Nothing was credited."
        label="Credit notes of the invoice"
        rows={invoice.creditNotes}
        keyOf={({ id }) => id}
        columns={noteColumns(invoice)}
      />
    </Part>
  );
}

const noteColumns = ({ currency }: Whole): readonly RowsColumn<Whole['creditNotes'][number]>[] => [
  { heading: 'Number', cell: ({ creditNoteNumber }) => <b>{creditNoteNumber}</b> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'Reason', cell: ({ reason }) => reason },
  { heading: 'Written', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Reversed', cell: (note) => <Reversed of={note} /> },
  { heading: 'Document', cell: ({ creditNoteNumber }) => <NotePdf number={creditNoteNumber} /> },
];

function NotePdf({ number }: { number: string }) {
  return (
    <Anchor inherit href={`/studio/v1/credit-notes/${number}.pdf`} target="_blank" rel="noopener" aria-label={`PDF of ${number}`}>
      PDF
    </Anchor>
  );
}

function CreditNote({ invoice }: { invoice: Of<'WholeInvoice'> }) {
  const { fields, typed, clear } = useFields(() => ({ amount: '', reason: '' }));
  const { invoiceNumber, currency, dueCents } = invoice;
  const mostCents = invoice.state === 'void' ? 0 : invoice.amountCents - invoice.creditedCents;
  const cents = centsOf(fields.amount, currency);
  const fits = cents !== null && cents > 0 && cents <= mostCents;
  const run = async (creditNoteId: string): Promise<string> => {
    const body = { creditNoteId, amountCents: cents ?? 0, reason: fields.reason.trim() };
    // Said of what was to be paid before: live changes may bring the invoice as it is then before it is said.
    const words = creditedWords({ cents: body.amountCents, dueCents, currency });
    await ask(studio.POST('/invoices/{id}/credit-notes', { params: { path: { id: invoiceNumber } }, body }));
    return words;
  };
  if (mostCents <= 0) return null;
  return (
    <Action
      label="Write a credit note"
      title={`Write a credit note for ${invoiceNumber}`}
      says={[
        'It takes off what is to be paid; what has been paid already becomes credit of the account.',
        'The client is told nothing by itself: send the PDF.',
      ]}
      run={run}
      done={(words) => `${invoiceNumber} has a credit note: ${words}`}
      ready={fits && fields.reason.trim() !== ''}
      onOpen={clear}
    >
      <TextInput
        label={`Amount, in ${currency}, with GST`}
        inputMode="decimal"
        required
        data-autofocus
        description={`At most ${formatMoney(mostCents, currency)}`}
        error={fields.amount !== '' && !fits && `An amount up to ${formatMoney(mostCents, currency)}, such as 12.50`}
        {...typed('amount')}
      />
      <TextInput label="Reason" required maxLength={500} description="Stands on the credit note." {...typed('reason')} />
      {fits && <Becomes cents={cents} dueCents={dueCents} currency={currency} />}
    </Action>
  );
}

function Becomes({ cents, dueCents, currency }: { cents: number; dueCents: number; currency: string }) {
  const taken = Math.min(cents, dueCents);
  const rest = cents - taken;
  return (
    <Text size="sm" role="status">
      Still to pay afterwards: {formatMoney(dueCents - taken, currency)}.{' '}
      {rest > 0 && <b>{formatMoney(rest, currency)} becomes credit of the account.</b>}
    </Text>
  );
}
