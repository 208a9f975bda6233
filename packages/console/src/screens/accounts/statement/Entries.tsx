import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Of } from '../../../api/types';
import { formatMoney } from '../../../shared/amount';
import { Money } from '../../../shared/money';
import { wordsOf } from '../../../shared/status';
import { Day } from '../../../shared/when';
import { InvoiceLink } from '../InvoiceLink';
import { OrderLink } from '../../../shared/orders';
import { Rows, type RowsColumn } from '../../../shared/rows';
import { To } from '../../../shared/to';
import { linesOf, type Entry, type Line } from './lines';

type Statement = Of<'Statement'>;

const AT_ONCE = 500;

/** Every entry with the balance after it, between what was owed before and after. */
export function Entries({ statement, currency }: { statement: Statement; currency: string }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { from, to, openingCents, closingCents, entries, now } = statement;
  const lines = linesOf(entries);
  const rows = lines.slice(0, shown).flatMap(rowsOf);
  return (
    <Stack gap="sm">
      <Balance
        words={
          <>
            Owed before <Day day={from} />
          </>
        }
        cents={openingCents}
        currency={currency}
      />
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
      <Balance
        words={
          <>
            Owed after <Day day={to} />
          </>
        }
        cents={closingCents}
        currency={currency}
      />
      <Text size="sm">
        Now {formatMoney(now.outstandingCents, currency)} outstanding, {formatMoney(now.creditCents, currency)} in credit.
      </Text>
    </Stack>
  );
}

function Balance({ words, cents, currency }: { words: React.ReactNode; cents: number; currency: string }) {
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between">
        <Text fw={600}>{words}</Text>
        <Text fw={600}>
          <Money cents={cents} currency={currency} />
          {cents < 0 && ', which the studio owes'}
        </Text>
      </Group>
    </Paper>
  );
}

/** A row of the table: a line, or a part of the line above it. */
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
  const { type, invoiceNumber, creditNoteNumber, amountCents, creditCents, paymentId } = entry;
  // Credit that pays an invoice, or comes back from it, changes nothing of the balance.
  const isOfCredit = amountCents === 0 && creditCents !== 0;
  const invoice = invoiceNumber !== null && <InvoiceLink accountId={accountId} number={invoiceNumber} />;
  const isOnAccount = paymentId !== null && (type === 'payment' || type === 'reversal') && invoiceNumber === null;
  if (is === 'part') return <Box pl="md">{invoice === false ? creditWords(type) : invoice}</Box>;
  return (
    <span>
      {wordsOf(type)} {creditNoteNumber !== null && `${creditNoteNumber} of `}
      {invoice}
      {isOnAccount && (
        <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments', payment: paymentId }} className="mono">
          {paymentId}
        </To>
      )}
      {isOnAccount && is === 'entry' && `, ${creditWords(type)}`}
      {isOfCredit && ', by credit'}
    </span>
  );
}

const creditWords = (type: Entry['type']): string => (type === 'reversal' ? 'taken back from the credit' : 'left as credit');
