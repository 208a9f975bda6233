import { Anchor, Button, Grid, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { invoiceQuery } from '../../api/reads';
import { callApi, studio } from '../../api/studio';
import type { Schema } from '../../api/types';
import { Amount, InvoiceStatus, OfficeOnly, PaymentLink, Reversed } from '../../billing/parts';
import { RecordPayment } from '../../billing/RecordPayment';
import { useShowEnvironment } from '../../session/environment';
import { Action } from '../../shared/action';
import { formatMoney, parseCents } from '../../shared/amount';
import { AmountInput } from '../../shared/inputs';
import { ON_ACCOUNT } from '../../shared/bank-line';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { useActionForm } from '../../shared/form';
import { StaticTable, type RowsColumn } from '../../shared/list';
import { creditedWords, Money } from '../../shared/money';
import { AccountLink, OrderLink } from '../../shared/orders';
import { FactList, Panel } from '../../shared/panel';
import { StudioDetailsMissingLine } from '../../shared/settings';
import { AMOUNT_DUE, CLIENT_NOT_NOTIFIED } from '../../shared/terms';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import { useTitle } from '../../shared/title';

type InvoiceDetail = Schema<'WholeInvoice'>;

export function Invoice() {
  const { invoice: number = '' } = useParams({ strict: false });
  useTitle(`Invoice ${number}`);
  return (
    <OfficeOnly title={`Invoice ${number}`}>
      <Stack gap="sm">
        <TextLink to="/invoices" size="sm">
          All invoices
        </TextLink>
        <LoadedInvoice number={number} />
      </Stack>
    </OfficeOnly>
  );
}

function LoadedInvoice({ number }: { number: string }) {
  const { data: invoice, error, isPending, refetch } = useQuery(invoiceQuery(number));
  useShowEnvironment(invoice?.environment);
  if (isPending) return <Loading what="Loading the invoice" />;
  if (invoice === undefined)
    return (
      <>
        <Title order={1}>Invoice {number}</Title>
        <ErrorAlert error={error} retry={() => void refetch()} />
      </>
    );
  const { invoiceNumber, accountId: id, accountName: name, currency, environment, dueCents } = invoice;
  return (
    <>
      <Group gap="sm">
        <Title order={1}>Invoice {invoiceNumber}</Title>
        <InvoiceStatus of={invoice} />
      </Group>
      <Group gap="sm">
        {dueCents > 0 && <RecordPayment account={{ id, name, currency }} environment={environment} invoice={invoice} />}
        <IssueCreditNote invoice={invoice} />
        <Button component="a" href={`/studio/v1/invoices/${invoiceNumber}.pdf`} target="_blank" rel="noopener" size="xs" variant="default">
          PDF
        </Button>
      </Group>
      <StudioDetailsMissingLine />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Figures invoice={invoice} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="sm">
            <Payments invoice={invoice} />
            <CreditNotes invoice={invoice} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Figures({ invoice }: { invoice: InvoiceDetail }) {
  const money = (cents: number) => <Money cents={cents} currency={invoice.currency} />;
  // A void invoice keeps its payments. On others, money beyond the amount is credit of the account.
  const overpaidCents = invoice.state === 'void' ? 0 : invoice.paidCents + invoice.creditedCents - invoice.amountCents;
  return (
    <Paper withBorder p="md">
      <FactList
        facts={{
          Account: <AccountLink id={invoice.accountId} name={invoice.accountName} />,
          Order: <OrderLink number={invoice.orderNumber} />,
          Amount: money(invoice.amountCents),
          'GST included': money(invoice.gstCents),
          Paid: money(invoice.paidCents),
          Credited: money(invoice.creditedCents),
          'Added to account credit': overpaidCents > 0 && money(overpaidCents),
          [AMOUNT_DUE]: <b>{money(invoice.dueCents)}</b>,
          Issued: <Time at={invoice.issuedAt} />,
          Due: <Day day={invoice.dueDate} />,
          Voided: invoice.voidedAt !== null && <Time at={invoice.voidedAt} />,
        }}
      />
    </Paper>
  );
}

function Payments({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <Panel title="Payments">
      <StaticTable
        empty="No payments"
        label="Payments"
        rows={invoice.payments}
        keyOf={({ paymentId }) => paymentId}
        columns={paymentColumns(invoice)}
      />
    </Panel>
  );
}

const paymentColumns = ({ currency, accountId }: InvoiceDetail): readonly RowsColumn<InvoiceDetail['payments'][number]>[] => [
  { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { heading: `Amount (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Payment', cell: ({ paymentId }) => <PaymentName id={paymentId} accountId={accountId} /> },
  { heading: 'Reversed', cell: ({ reversedAt }) => reversedAt !== null && <Time at={reversedAt} /> },
];

function PaymentName({ id, accountId }: { id: string; accountId: string }) {
  if (!id.startsWith(ON_ACCOUNT)) return <span className="mono">{id}</span>;
  return <PaymentLink accountId={accountId} paymentId={id.slice(ON_ACCOUNT.length)} />;
}

function CreditNotes({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <Panel title="Credit notes">
      <StaticTable
        empty="No credit notes"
        label="Credit notes"
        rows={invoice.creditNotes}
        keyOf={({ id }) => id}
        columns={creditNoteColumns(invoice)}
      />
    </Panel>
  );
}

const creditNoteColumns = ({ currency }: InvoiceDetail): readonly RowsColumn<InvoiceDetail['creditNotes'][number]>[] => [
  { heading: 'Number', cell: ({ creditNoteNumber }) => <b>{creditNoteNumber}</b> },
  { heading: `Amount (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: 'Reason', cell: ({ reason }) => reason },
  { heading: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Reversed', cell: (note) => <Reversed of={note} /> },
  { heading: 'Document', cell: ({ creditNoteNumber }) => <CreditNotePdf number={creditNoteNumber} /> },
];

function CreditNotePdf({ number }: { number: string }) {
  return (
    <Anchor inherit href={`/studio/v1/credit-notes/${number}.pdf`} target="_blank" rel="noopener" aria-label={`PDF of ${number}`}>
      PDF
    </Anchor>
  );
}

function IssueCreditNote({ invoice }: { invoice: InvoiceDetail }) {
  const { invoiceNumber, currency, dueCents } = invoice;
  const maxCents = invoice.state === 'void' ? 0 : invoice.amountCents - invoice.creditedCents;
  const form = useActionForm(
    () => ({ amount: '', reason: '' }),
    ({ amount, reason }) => ({
      amount: !isBetween(parseCents(amount, currency), maxCents) && `Enter an amount up to ${formatMoney(maxCents, currency)}`,
      reason: reason.trim() === '' && 'Enter a reason',
    }),
  );
  const cents = parseCents(form.values.amount, currency) ?? 0;
  const run = async (creditNoteId: string): Promise<string> => {
    const body = { creditNoteId, amountCents: cents, reason: form.values.reason.trim() };
    // Computed first: live changes may update the amount due before the call returns.
    const words = creditedWords({ cents, dueCents, currency });
    await callApi(studio.POST('/invoices/{id}/credit-notes', { params: { path: { id: invoiceNumber } }, body }));
    return words;
  };
  if (maxCents <= 0) return null;
  return (
    <Action
      label="Issue credit note"
      title={`Issue credit note for ${invoiceNumber}`}
      says={[`Reduces the amount due. Any paid part becomes credit of the account. ${CLIENT_NOT_NOTIFIED} Send the PDF.`]}
      run={run}
      done={(words) => `Credit note for ${invoiceNumber} issued: ${words}`}
      {...form.action}
    >
      <AmountInput label="Amount, with GST" currency={currency} maxCents={maxCents} withAsterisk data-autofocus {...form.field('amount')} />
      <TextInput label="Reason" withAsterisk maxLength={500} description="Shown on the credit note." {...form.field('reason')} />
      {isBetween(cents, maxCents) && (
        <Text size="sm" role="status">
          {AMOUNT_DUE} afterwards: {formatMoney(Math.max(0, dueCents - cents), currency)}.{' '}
          {cents > dueCents && <b>{formatMoney(cents - dueCents, currency)} becomes credit of the account.</b>}
        </Text>
      )}
    </Action>
  );
}

const isBetween = (cents: number | null, maxCents: number): cents is number => cents !== null && cents > 0 && cents <= maxCents;
