import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { callApi, type Schema, studio } from '../../api/studio';
import { InvoiceLink, PaymentLink } from '../../billing/parts';
import { SendDocument } from '../../billing/SendDocument';
import { useEnvironment } from '../../session/environment';
import { useSearchParams } from '../../shared/search-params';
import { formatMoney } from '../../shared/amount';
import { Amount, Money } from '../../shared/money';
import { DayInput } from '../../shared/inputs';
import { queryOf, StaticTable, type RowsColumn } from '../../shared/list';
import { OrderLink } from '../../shared/orders';
import { AMOUNT_DUE, statusLabel } from '../../shared/words';
import { useToday } from '../../shared/today';
import { Loaded } from '../../shared/feedback';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import type { Account } from './account-form';
import { type Entry, groupEntries, type StatementLine } from './statement-lines';

interface Period {
  name: string;
  from: string;
  to: string;
}

/** The usual periods on a day, `2026-11-22`. */
function periodsAt(today: string): readonly Period[] {
  const month = dayjs(today).startOf('month');
  const period = (name: string, from: Dayjs, to: Dayjs): Period => ({ name, from: from.format(ISO), to: to.format(ISO) });
  return [
    period('This month', month, dayjs(today)),
    period('Last month', month.subtract(1, 'month'), month.subtract(1, 'day')),
    period('This quarter', month.subtract(month.month() % 3, 'month'), dayjs(today)),
  ];
}

const ISO = 'YYYY-MM-DD';

export function Statement({ account: { id } }: { account: Account }) {
  const [environment] = useEnvironment();
  const [{ from, to }] = useSearchParams();
  const periods = periodsAt(useToday());
  const query = { from: from ?? periods[0]?.from, to: to ?? (from === undefined ? periods[0]?.to : undefined), environment };
  const period = { ...(query.from && { from: query.from }), ...(query.to && { to: query.to }) };
  const url = (kind: 'pdf' | 'csv') => `/studio/v1/accounts/${id}/statement.${kind}?${queryOf(query)}`;
  const result = useQuery({
    queryKey: ['statement', id, query],
    queryFn: () => callApi(studio.GET('/accounts/{id}/statement', { params: { path: { id }, query } })),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Statement{environment === 'test' && ' of test orders'}
        </Title>
        <Group gap="xs">
          {environment === 'live' && (
            <SendDocument
              what={`the statement from ${query.from ?? ''} to ${query.to ?? 'today'}`}
              subject={`${id} ${query.from} ${query.to}`}
              pdf={url('pdf')}
              readDraft={() => callApi(studio.GET('/accounts/{id}/statement/send', { params: { path: { id }, query: period } }))}
              send={(body) =>
                callApi(
                  studio.POST('/accounts/{id}/statement/send', {
                    params: { path: { id } },
                    body: { ...body, ...(period.from && { periodFrom: period.from }), ...(period.to && { periodTo: period.to }) },
                  }),
                )
              }
            />
          )}
          <Button component="a" size="xs" variant="default" href={url('pdf')} target="_blank" rel="noopener">
            PDF
          </Button>
          <Button component="a" size="xs" variant="default" href={url('csv')} download>
            Export CSV
          </Button>
        </Group>
      </Group>
      <PeriodFilter query={query} periods={periods} />
      <Loaded query={result} what="Loading the statement">
        {(statement) => <Entries statement={statement} />}
      </Loaded>
    </Stack>
  );
}

function PeriodFilter({ query, periods }: { query: { from: string | undefined; to: string | undefined }; periods: readonly Period[] }) {
  const [, change] = useSearchParams();
  return (
    <Group align="end" gap="sm">
      <DayInput label="From" clearable={false} value={query.from ?? ''} onChange={(from) => change({ from, to: query.to })} />
      <DayInput label="To (inclusive)" clearable={false} value={query.to ?? ''} onChange={(to) => change({ from: query.from, to })} />
      {periods.map(({ name, from, to }) => (
        <Button
          key={name}
          size="sm"
          variant={from === query.from && to === query.to ? 'filled' : 'default'}
          aria-pressed={from === query.from && to === query.to}
          onClick={() => change({ from, to })}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}

const PAGE_SIZE = 500;

function Entries({ statement }: { statement: Schema<'Statement'> }) {
  const [shown, setShown] = useState(PAGE_SIZE);
  const { from, to, openingCents, closingCents, currency, entries, now } = statement;
  const lines = groupEntries(entries);
  const rows = lines.slice(0, shown).flatMap(rowsOf);
  return (
    <Stack gap="sm">
      <Balance cents={openingCents} currency={currency}>
        Balance before <Day day={from} />
      </Balance>
      <StaticTable
        empty="No entries in this period"
        label="Statement entries"
        rows={rows}
        keyOf={({ key }) => key}
        columns={columnsOf(statement.accountId, currency)}
      />
      {lines.length > shown && (
        <Group>
          <Text size="sm" role="status">
            {shown} of {lines.length} shown
          </Text>
          <Button size="xs" variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>
            Show more
          </Button>
        </Group>
      )}
      <Balance cents={closingCents} currency={currency}>
        Balance after <Day day={to} />
      </Balance>
      <Text size="sm">
        Now: {formatMoney(now.outstandingCents, currency)} outstanding · {formatMoney(now.creditCents, currency)} in credit
      </Text>
      <OpenInvoices statement={statement} />
    </Stack>
  );
}

function Balance({ cents, currency, children }: { cents: number; currency: string; children: React.ReactNode }) {
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between">
        <Text fw={600}>{children}</Text>
        <Text fw={600}>
          <Money cents={cents} currency={currency} />
          {cents < 0 && ' in the client’s favor'}
        </Text>
      </Group>
    </Paper>
  );
}

type OpenInvoice = Schema<'Statement'>['openInvoices'][number];

/** The unpaid invoices after the last day. */
function OpenInvoices({ statement }: { statement: Schema<'Statement'> }) {
  const { accountId, to, currency, openInvoices, closingOutstandingCents, closingCreditCents } = statement;
  const listedCents = openInvoices.reduce((cents, { dueCents }) => cents + dueCents, 0);
  return (
    <>
      <Title order={3} size="h5">
        Open invoices after <Day day={to} />
      </Title>
      <StaticTable
        empty="No open invoices"
        label="Open invoices"
        rows={openInvoices}
        keyOf={({ invoiceId }) => invoiceId}
        columns={openColumns(currency)}
      />
      {closingOutstandingCents > listedCents && (
        <Text size="sm">
          Only the oldest {openInvoices.length}. The others: {formatMoney(closingOutstandingCents - listedCents, currency)}
        </Text>
      )}
      <Balance cents={closingOutstandingCents} currency={currency}>
        {AMOUNT_DUE}
      </Balance>
      {closingCreditCents > 0 && (
        <Text size="sm">
          Credit of {formatMoney(closingCreditCents, currency)} is not applied automatically. Apply or refund it under{' '}
          <TextLink to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments' }} underline="always">
            Payments
          </TextLink>
          .
        </Text>
      )}
    </>
  );
}

const openColumns = (currency: string): readonly RowsColumn<OpenInvoice>[] => [
  { heading: 'Invoice', cell: ({ invoiceNumber }) => <InvoiceLink number={invoiceNumber} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Issued', cell: ({ issuedAt }) => <Time at={issuedAt} /> },
  { heading: 'Due', cell: ({ dueDate }) => <Day day={dueDate} /> },
  { heading: `Amount (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: `${AMOUNT_DUE} (${currency})`, right: true, cell: ({ dueCents }) => <Amount cents={dueCents} /> },
];

interface Row {
  key: string;
  entry: Entry;
  kind: 'entry' | 'total' | 'part';
}

const rowsOf = ({ key, entry, parts }: StatementLine): Row[] => [
  { key, entry, kind: parts.length > 0 ? 'total' : 'entry' },
  ...parts.map((part, index): Row => ({ key: `${key}.${index}`, entry: part, kind: 'part' })),
];

/** The day at the bank. */
const bankDayOf = ({ receivedOn, refundedOn }: Entry): string | null => receivedOn ?? refundedOn;

const columnsOf = (accountId: string, currency: string): readonly RowsColumn<Row>[] => [
  { heading: 'Recorded', cell: ({ entry, kind }) => kind !== 'part' && <Day day={entry.bookedOn} /> },
  {
    heading: 'Received or refunded',
    cell: ({ entry, kind }) => kind !== 'part' && bankDayOf(entry) !== null && <Day day={bankDayOf(entry)} />,
  },
  { heading: 'Description', wrap: true, cell: (row) => <Description row={row} accountId={accountId} /> },
  { heading: 'Order', cell: ({ entry: { orderNumber } }) => orderNumber !== null && <OrderLink number={orderNumber} /> },
  { heading: 'Reference', wrap: true, cell: ({ entry, kind }) => kind !== 'part' && entry.reference },
  { heading: `Amount (${currency})`, right: true, cell: ({ entry, kind }) => <EntryAmount entry={entry} isPart={kind === 'part'} /> },
  { heading: `Balance (${currency})`, right: true, cell: ({ entry, kind }) => kind !== 'part' && <Amount cents={entry.balanceCents} /> },
];

/** The parts of a payment are quiet: they are included in the amount above. */
function EntryAmount({ entry, isPart }: { entry: Entry; isPart: boolean }) {
  return (
    <Text span inherit {...(isPart && { className: 'quiet' })}>
      <Amount cents={entry.amountCents} />
    </Text>
  );
}

function Description({ row: { entry, kind }, accountId }: { row: Row; accountId: string }) {
  const { type, invoiceNumber, creditNoteNumber, amountCents, creditCents, paymentId, refundId } = entry;
  // Applying credit, or reversing that, does not change the balance.
  const isFromCredit = amountCents === 0 && creditCents !== 0;
  const invoice = invoiceNumber !== null && <InvoiceLink number={invoiceNumber} />;
  const isOnAccount = paymentId !== null && (type === 'payment' || type === 'reversal') && invoiceNumber === null;
  if (kind === 'part') return <Box pl="md">{invoice === false ? creditLabel(type) : invoice}</Box>;
  return (
    <span>
      {statusLabel(type)} {type === 'reversal' && refundId !== null && 'of a refund'}
      {creditNoteNumber !== null && `${creditNoteNumber} for `}
      {invoice}
      {isOnAccount && <PaymentLink accountId={accountId} paymentId={paymentId} />}
      {isOnAccount && kind === 'entry' && `, ${creditLabel(type)}`}
      {isFromCredit && ', from credit'}
    </span>
  );
}

const creditLabel = (type: Entry['type']): string => (type === 'reversal' ? 'taken from credit' : 'added to credit');
