import { Anchor, Box, Button, Grid, Group, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { invoiceQuery } from '../../api/reads';
import { callApi, type Schema, studio } from '../../api/studio';
import { IssueCreditNote } from '../../billing/IssueCreditNote';
import { accountPaymentId, InvoiceStatus, PaymentLink, Reversed } from '../../billing/parts';
import { RecordPayment } from '../../billing/RecordPayment';
import { SendDocument } from '../../billing/SendDocument';
import { useSetShownEnvironment } from '../../session/environment';
import { ActionButtons } from '../../shared/action';
import { addressLines } from '../../shared/address-lines';
import { Loaded } from '../../shared/feedback';
import { StaticTable, type RowsColumn } from '../../shared/list';
import { Amount, Money } from '../../shared/money';
import { FactList, OnlyFor, Panel } from '../../shared/layout';
import { AccountLink, OrderLink } from '../../shared/orders';
import { MissingBusinessDetailsNote } from '../../shared/settings';
import { AMOUNT_DUE } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import { useTitle } from '../../shared/title';

type InvoiceDetail = Schema<'WholeInvoice'>;

export function Invoice() {
  const { invoice: number = '' } = useParams({ strict: false });
  useTitle(`Invoice ${number}`);
  return (
    <OnlyFor minRole="office" what="accounts and money" title={`Invoice ${number}`}>
      <Stack gap="sm">
        <TextLink to="/invoices" size="sm">
          All invoices
        </TextLink>
        <LoadedInvoice number={number} />
      </Stack>
    </OnlyFor>
  );
}

function LoadedInvoice({ number }: { number: string }) {
  const query = useQuery(invoiceQuery(number));
  useSetShownEnvironment(query.data?.environment);
  return (
    <>
      <Group gap="sm">
        <Title order={1}>Invoice {query.data?.invoiceNumber ?? number}</Title>
        {query.data && <InvoiceStatus of={query.data} />}
      </Group>
      <Loaded query={query} what="Loading the invoice">
        {(invoice) => <InvoiceView invoice={invoice} />}
      </Loaded>
    </>
  );
}

function InvoiceView({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <>
      <Group gap="sm">
        <ActionButtons shown={invoice.dueCents > 0}>
          <RecordPayment payer={invoice} invoice={invoice} />
        </ActionButtons>
        <IssueCreditNote invoice={invoice} />
        {invoice.environment === 'live' && <SendInvoice number={invoice.invoiceNumber} />}
        <Button
          component="a"
          href={`/studio/v1/invoices/${invoice.invoiceNumber}.pdf`}
          target="_blank"
          rel="noopener"
          size="xs"
          variant="default"
        >
          PDF
        </Button>
      </Group>
      <MissingBusinessDetailsNote />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Figures invoice={invoice} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="sm">
            <Panel title="Payments">
              <StaticTable
                label="Payments"
                rows={invoice.payments}
                columns={paymentColumns(invoice)}
                keyOf={({ paymentId }) => paymentId}
                empty="No payments"
              />
            </Panel>
            <Panel title="Credit notes">
              <StaticTable
                label="Credit notes"
                rows={invoice.creditNotes}
                columns={creditNoteColumns(invoice)}
                keyOf={({ id: noteId }) => noteId}
                empty="No credit notes"
              />
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Figures({ invoice }: { invoice: InvoiceDetail }) {
  const money = (cents: number) => <Money cents={cents} currency={invoice.currency} />;
  // A void invoice keeps its payments. On other invoices, an overpayment becomes credit of the account.
  const overpaidCents = invoice.state === 'void' ? 0 : invoice.paidCents + invoice.creditedCents - invoice.amountCents;
  return (
    <Paper withBorder p="md">
      <FactList
        facts={{
          Account: <AccountLink id={invoice.accountId} name={invoice.accountName} />,
          'Billed to': <Buyer buyer={invoice.buyer} />,
          Order: <OrderLink number={invoice.orderNumber} />,
          'Client reference': invoice.reference ?? false,
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

function SendInvoice({ number }: { number: string }) {
  const params = { path: { id: number } };
  return (
    <SendDocument
      what={`invoice ${number}`}
      subject={number}
      pdf={`/studio/v1/invoices/${number}.pdf`}
      readDraft={() => callApi(studio.GET('/invoices/{id}/send', { params }))}
      send={(body) => callApi(studio.POST('/invoices/{id}/send', { params, body }))}
    />
  );
}

function SendCreditNote({ number }: { number: string }) {
  const params = { path: { id: number } };
  return (
    <SendDocument
      what={`credit note ${number}`}
      subject={number}
      pdf={`/studio/v1/credit-notes/${number}.pdf`}
      readDraft={() => callApi(studio.GET('/credit-notes/{id}/send', { params }))}
      send={(body) => callApi(studio.POST('/credit-notes/{id}/send', { params, body }))}
      button={{ 'aria-label': `Send ${number}`, size: 'compact-xs' }}
    />
  );
}

/** The account's details on the invoice, as they were at the time of issue. */
function Buyer({ buyer: { name, address, abn } }: { buyer: InvoiceDetail['buyer'] }) {
  const lines = [...(address === null ? [name] : addressLines({ ...address, name })), ...(abn === null ? [] : [`ABN ${abn}`])];
  return <Box style={{ whiteSpace: 'pre-line' }}>{lines.join('\n')}</Box>;
}

const paymentColumns = ({ currency, accountId }: InvoiceDetail): readonly RowsColumn<InvoiceDetail['payments'][number]>[] => [
  { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { heading: `Amount (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: 'Reference', wrap: true, cell: ({ reference }) => reference },
  {
    heading: 'Payment',
    wrap: true,
    cell: ({ paymentId: id }) => {
      const paymentId = accountPaymentId(id);
      return paymentId === undefined ? <span className="mono">{id}</span> : <PaymentLink accountId={accountId} paymentId={paymentId} />;
    },
  },
  { heading: 'Reversed', cell: ({ reversedAt }) => reversedAt !== null && <Time at={reversedAt} /> },
];

const creditNoteColumns = ({ currency, environment }: InvoiceDetail): readonly RowsColumn<InvoiceDetail['creditNotes'][number]>[] => [
  { heading: 'Number', cell: ({ creditNoteNumber }) => <b>{creditNoteNumber}</b> },
  { heading: `Amount (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: 'Reason', wrap: true, cell: ({ reason }) => reason },
  { heading: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Reversed', cell: (note) => <Reversed of={note} /> },
  {
    heading: 'Document',
    cell: ({ creditNoteNumber: number }) => (
      <Group gap="xs" wrap="nowrap">
        <Anchor inherit href={`/studio/v1/credit-notes/${number}.pdf`} target="_blank" rel="noopener" aria-label={`PDF of ${number}`}>
          PDF
        </Anchor>
        {environment === 'live' && <SendCreditNote number={number} />}
      </Group>
    ),
  },
];
