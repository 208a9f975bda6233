import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Of } from '../../../api/types';
import { formatMoney, Money } from '../../../shared/money';
import { wordsOf } from '../../../shared/status';
import { Day } from '../../../shared/when';
import { InvoiceLink } from '../InvoiceLink';
import { OrderLink } from '../../../shared/orders';
import { Rows } from '../../../shared/rows';

type Statement = Of<'Statement'>;
type Entry = Statement['entries'][number];

const AT_ONCE = 500;

/** Every entry with the balance after it, between what was owed before and after. */
export function Entries({ statement, currency }: { statement: Statement; currency: string }) {
  const [shown, setShown] = useState(AT_ONCE);
  const { from, to, openingCents, closingCents, entries, now } = statement;
  const numbered = entries.slice(0, shown).map((entry, at) => ({ entry, at }));
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
        rows={numbered}
        keyOf={({ at }) => String(at)}
        columns={columnsOf(statement.accountId, currency)}
      />
      {entries.length > shown && (
        <Group>
          <Text size="sm" role="status">
            {shown} of {entries.length} shown
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

const columnsOf = (accountId: string, currency: string) => [
  { heading: 'Day', cell: ({ entry }: { entry: Entry }) => <Day day={entry.bookedOn} /> },
  { heading: 'What', cell: ({ entry }: { entry: Entry }) => <What entry={entry} accountId={accountId} /> },
  {
    heading: 'Order',
    cell: ({ entry: { orderNumber } }: { entry: Entry }) => orderNumber !== null && <OrderLink number={orderNumber} />,
  },
  { heading: 'Reference', cell: ({ entry }: { entry: Entry }) => entry.reference },
  { heading: 'Amount', right: true, cell: ({ entry }: { entry: Entry }) => <Money cents={entry.amountCents} currency={currency} /> },
  { heading: 'Balance', right: true, cell: ({ entry }: { entry: Entry }) => <Money cents={entry.balanceCents} currency={currency} /> },
];

function What({ entry, accountId }: { entry: Entry; accountId: string }) {
  const { type, invoiceNumber, creditNoteNumber, amountCents, creditCents } = entry;
  // Credit that pays an invoice, or comes back from it, changes nothing of the balance.
  const isOfCredit = amountCents === 0 && creditCents !== 0;
  return (
    <span>
      {wordsOf(type)} {creditNoteNumber !== null && `${creditNoteNumber} of `}
      {invoiceNumber !== null && <InvoiceLink accountId={accountId} number={invoiceNumber} />}
      {isOfCredit && ', by credit'}
    </span>
  );
}
