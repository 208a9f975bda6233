import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import type { Environment, Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
import { formatMoney } from '../../shared/amount';
import { DayFilter } from '../../shared/inputs';
import { queryOf, Rows, type RowsColumn } from '../../shared/list';
import { Money } from '../../shared/money';
import { OrderLink } from '../../shared/orders';
import { wordsOf } from '../../shared/status';
import { useToday } from '../../shared/today';
import { Refused, Waiting } from '../../shared/told';
import { To } from '../../shared/to';
import { Day, When } from '../../shared/when';
import { addDays } from '../../shared/zoned';
import type { Account } from './draft';
import { InvoiceLink, PaymentLink } from './parts';
import { type Entry, type Line, linesOf } from './statement/lines';

interface Period {
  name: string;
  from: string;
  to: string;
}

/** What one mostly wants a statement of, as of `today` (`2026-11-22`). */
function periodsAt(today: string): readonly Period[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const thisMonth = first(year, month);
  const lastMonth = month === 1 ? first(year - 1, 12) : first(year, month - 1);
  return [
    { name: 'This month', from: thisMonth, to: today },
    { name: 'Last month', from: lastMonth, to: addDays(thisMonth, -1) },
    { name: 'This quarter', from: first(year, month - ((month - 1) % 3)), to: today },
  ];
}

const first = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}-01`;

export function Statement({ account: { id } }: { account: Account }) {
  const [environment] = useEnvironment();
  const [{ from, to }] = useAddress();
  const periods = periodsAt(useToday());
  const asked = { from: from ?? periods[0]?.from, to: to ?? (from === undefined ? periods[0]?.to : undefined), environment };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['statement', id, asked],
    queryFn: () => ask(studio.GET('/accounts/{id}/statement', { params: { path: { id }, query: asked } })),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Statement{environment === 'test' && ' of test orders'}
        </Title>
        <Documents id={id} asked={asked} />
      </Group>
      <Days asked={asked} periods={periods} />
      {isPending && <Waiting what="Reading the statement" />}
      <Refused error={error} retry={() => void refetch()} />
      {data !== undefined && error === null && <Entries statement={data} currency={data.currency} />}
    </Stack>
  );
}

interface Asked {
  from?: string;
  to?: string;
  environment: Environment;
}

function Documents({ id, asked }: { id: string; asked: Asked }) {
  const address = (kind: 'pdf' | 'csv') => `/studio/v1/accounts/${id}/statement.${kind}?${queryOf({ ...asked })}`;
  return (
    <Group gap="xs">
      <Button component="a" size="xs" variant="default" href={address('pdf')} target="_blank" rel="noopener">
        PDF
      </Button>
      <Button component="a" size="xs" variant="default" href={address('csv')} download>
        Export CSV
      </Button>
    </Group>
  );
}

function Days({ asked, periods }: { asked: Asked; periods: readonly Period[] }) {
  const [, change] = useAddress();
  return (
    <Group align="end" gap="sm">
      <DayFilter label="From" value={asked.from} set={(from) => change({ from, to: asked.to })} />
      <DayFilter label="To" value={asked.to} set={(to) => change({ from: asked.from, to })} />
      {periods.map(({ name, from, to }) => (
        <Button
          key={name}
          size="sm"
          variant={from === asked.from && to === asked.to ? 'filled' : 'default'}
          aria-pressed={from === asked.from && to === asked.to}
          onClick={() => change({ from, to })}
        >
          {name}
        </Button>
      ))}
      <Text size="sm" className="quiet">
        Both days are included.
      </Text>
    </Group>
  );
}

const AT_ONCE = 500;

function Entries({ statement, currency }: { statement: Of<'Statement'>; currency: string }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { from, to, openingCents, closingCents, entries, now } = statement;
  const lines = linesOf(entries);
  const rows = lines.slice(0, shown).flatMap(rowsOf);
  return (
    <Stack gap="sm">
      <Balance cents={openingCents} currency={currency}>
        Owed before <Day day={from} />
      </Balance>
      <Rows
        empty="Nothing was booked on these days. Choose others above."
        label="Entries of the statement"
        rows={rows}
        keyOf={({ key }) => key}
        columns={columnsOf(statement.accountId, currency)}
      />
      {lines.length > shown && (
        <Group>
          <Text size="sm" role="status">
            {shown} of {lines.length} shown
          </Text>
          <Button size="xs" variant="default" onClick={() => setShown(shown + AT_ONCE)}>
            Show more
          </Button>
        </Group>
      )}
      <Balance cents={closingCents} currency={currency}>
        Owed after <Day day={to} />
      </Balance>
      <Text size="sm">
        Now {formatMoney(now.outstandingCents, currency)} outstanding, {formatMoney(now.creditCents, currency)} in credit.
      </Text>
      <OpenInvoices statement={statement} currency={currency} />
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
          {cents < 0 && ', which the studio owes'}
        </Text>
      </Group>
    </Paper>
  );
}

type OpenInvoice = Of<'Statement'>['openInvoices'][number];

/** What is asked for, invoice by invoice. Credit is never applied automatically. */
function OpenInvoices({ statement, currency }: { statement: Of<'Statement'>; currency: string }) {
  const { accountId, to, openInvoices, closingOutstandingCents, closingCreditCents } = statement;
  const listedCents = openInvoices.reduce((cents, { dueCents }) => cents + dueCents, 0);
  return (
    <>
      <Title order={3} size="h5">
        Open invoices after <Day day={to} />
      </Title>
      <Rows
        empty="No invoice was open."
        label="Open invoices"
        rows={openInvoices}
        keyOf={({ invoiceId }) => invoiceId}
        columns={openColumns(accountId, currency)}
      />
      {closingOutstandingCents > listedCents && (
        <Text size="sm">
          The oldest {openInvoices.length} invoices. On the others {formatMoney(closingOutstandingCents - listedCents, currency)} is to be
          paid.
        </Text>
      )}
      <Balance cents={closingOutstandingCents} currency={currency}>
        To be paid
      </Balance>
      {closingCreditCents > 0 && (
        <Text size="sm">
          Credit of {formatMoney(closingCreditCents, currency)} is not applied automatically. Use it or pay it back under{' '}
          <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments' }} underline="always">
            Payments
          </To>
          .
        </Text>
      )}
    </>
  );
}

const openColumns = (accountId: string, currency: string): readonly RowsColumn<OpenInvoice>[] => [
  { heading: 'Invoice', cell: ({ invoiceNumber }) => <InvoiceLink accountId={accountId} number={invoiceNumber} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Issued', cell: ({ issuedAt }) => <When at={issuedAt} /> },
  { heading: 'Due', cell: ({ dueDate }) => <Day day={dueDate} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'To pay', right: true, cell: ({ dueCents }) => <Money cents={dueCents} currency={currency} /> },
];

interface Row {
  key: string;
  entry: Entry;
  is: 'entry' | 'whole' | 'part';
}

const rowsOf = ({ key, entry, parts }: Line): Row[] => [
  { key, entry, is: parts.length > 0 ? 'whole' : 'entry' },
  ...parts.map((part, at): Row => ({ key: `${key}.${at}`, entry: part, is: 'part' })),
];

const columnsOf = (accountId: string, currency: string): readonly RowsColumn<Row>[] => [
  { heading: 'Day', cell: ({ entry, is }) => is !== 'part' && <Day day={entry.bookedOn} /> },
  { heading: 'What', cell: (row) => <What row={row} accountId={accountId} /> },
  { heading: 'Order', cell: ({ entry: { orderNumber } }) => orderNumber !== null && <OrderLink number={orderNumber} /> },
  { heading: 'Reference', cell: ({ entry, is }) => is !== 'part' && entry.reference },
  { heading: 'Amount', right: true, cell: (row) => <Amount row={row} currency={currency} /> },
  { heading: 'Balance', right: true, cell: ({ entry, is }) => is !== 'part' && <Money cents={entry.balanceCents} currency={currency} /> },
];

/** Parts are of the amount above them, and add nothing to it. */
function Amount({ row: { entry, is }, currency }: { row: Row; currency: string }) {
  if (is !== 'part') return <Money cents={entry.amountCents} currency={currency} />;
  return (
    <Text span inherit className="quiet">
      of it <Money cents={entry.amountCents} currency={currency} />
    </Text>
  );
}

function What({ row: { entry, is }, accountId }: { row: Row; accountId: string }) {
  const { type, invoiceNumber, creditNoteNumber, amountCents, creditCents, paymentId, refundId } = entry;
  // Credit that pays an invoice, or comes back from it, changes nothing of the balance.
  const isOfCredit = amountCents === 0 && creditCents !== 0;
  const invoice = invoiceNumber !== null && <InvoiceLink accountId={accountId} number={invoiceNumber} />;
  const isOnAccount = paymentId !== null && (type === 'payment' || type === 'reversal') && invoiceNumber === null;
  if (is === 'part') return <Box pl="md">{invoice === false ? creditWords(type) : invoice}</Box>;
  return (
    <span>
      {wordsOf(type)} {type === 'reversal' && refundId !== null && 'of a refund'}
      {creditNoteNumber !== null && `${creditNoteNumber} of `}
      {invoice}
      {isOnAccount && <PaymentLink accountId={accountId} paymentId={paymentId} />}
      {isOnAccount && is === 'entry' && `, ${creditWords(type)}`}
      {isOfCredit && ', by credit'}
    </span>
  );
}

const creditWords = (type: Entry['type']): string => (type === 'reversal' ? 'taken back from the credit' : 'left as credit');
