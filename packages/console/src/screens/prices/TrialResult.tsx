import { Stack, Table, Text, Title } from '@mantine/core';
import type { Environment, Of } from '../../api/types';
import { Change, Money } from '../../shared/money';
import { Rows, type RowsColumn } from '../../shared/rows';
import { When } from '../../shared/when';

type Trial = Of<'PriceTrial'> & { environment: Environment };

const lineColumns = (currency: string): RowsColumn<Trial['lines'][number]>[] => [
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'Line', cell: ({ productName, quantity, line }) => `${line + 1}: ${quantity} × ${productName}` },
  { heading: 'Quote', cell: ({ quoteId }) => <span className="mono">{quoteId}</span> },
  { heading: 'Old', cell: ({ beforeCents }) => <Money cents={beforeCents} currency={currency} />, right: true },
  { heading: 'New', cell: ({ afterCents }) => <Money cents={afterCents} currency={currency} />, right: true },
  {
    heading: 'Difference',
    cell: ({ beforeCents, afterCents }) => <Change from={beforeCents} to={afterCents} currency={currency} />,
    right: true,
  },
];

const quoteColumns = (currency: string): RowsColumn<Trial['quotes'][number]>[] => [
  { heading: 'Quote', cell: ({ quoteId }) => <span className="mono">{quoteId}</span> },
  { heading: 'Given', cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    heading: 'Delivery',
    cell: ({ shippingBeforeCents: before, shippingAfterCents: after }) =>
      before === after ? 'the same' : <Change from={before} to={after} currency={currency} />,
    right: true,
  },
  { heading: 'Old', cell: (quote) => <Money cents={quote.totalBeforeCents} currency={currency} />, right: true },
  { heading: 'New', cell: (quote) => <Money cents={quote.totalAfterCents} currency={currency} />, right: true },
  {
    heading: 'Difference',
    cell: (quote) => <Change from={quote.totalBeforeCents} to={quote.totalAfterCents} currency={currency} />,
    right: true,
  },
];

const UNPRICED: RowsColumn<Trial['unpriced'][number]>[] = [
  { heading: 'Quote', cell: ({ quoteId }) => <span className="mono">{quoteId}</span> },
  {
    heading: 'Refused by',
    cell: ({ refusedBy }) => (refusedBy === 'draft' ? 'the draft alone' : 'the book in force too'),
  },
  { heading: 'Why', cell: ({ reason }) => reason },
];

/** What a draft would have changed: sums, each line, quotes whose total changes, and those that cannot be priced. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { currency, lines, quotes, priced, looked, unpriced, inForce, totalBeforeCents, totalAfterCents } = trial;
  if (looked === 0)
    return (
      <Text role="status">There is no {trial.environment} quote yet that it could be tried on. It can be published all the same.</Text>
    );
  return (
    <Stack>
      <Text role="status">
        Of the newest {looked} {trial.environment} quotes {quotes.length} would cost something else than by book {inForce},{' '}
        {priced - quotes.length} the same{unpriced.length > 0 && `; ${unpriced.length} could not be compared`}.
      </Text>
      <Sums before={totalBeforeCents} after={totalAfterCents} currency={currency} />
      <Title order={3} size="h4">
        Lines that change
      </Title>
      <Rows
        label="Lines that change"
        rows={lines}
        keyOf={({ quoteId, line }) => `${quoteId} ${line}`}
        columns={lineColumns(currency)}
        empty="No line would cost anything else."
      />
      <Title order={3} size="h4">
        Quotes whose total changes
      </Title>
      <Rows
        label="Quotes whose total changes"
        rows={quotes}
        keyOf={({ quoteId }) => quoteId}
        columns={quoteColumns(currency)}
        empty="No total would change."
      />
      {unpriced.length > 0 && <Unpriced unpriced={unpriced} />}
    </Stack>
  );
}

function Sums({ before, after, currency }: { before: number; after: number; currency: string }) {
  return (
    <Table aria-label="Sums of what was compared" maw={420}>
      <Table.Tbody>
        <Table.Tr>
          <Table.Th scope="row">By the book in force</Table.Th>
          <Table.Td className="right">
            <Money cents={before} currency={currency} />
          </Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Th scope="row">By the draft</Table.Th>
          <Table.Td className="right">
            <Money cents={after} currency={currency} />
          </Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Th scope="row">Difference</Table.Th>
          <Table.Td className="right">
            <strong>
              <Change from={before} to={after} currency={currency} />
            </strong>
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

function Unpriced({ unpriced }: { unpriced: Trial['unpriced'] }) {
  return (
    <>
      <Title order={3} size="h4">
        Not compared
      </Title>
      <Rows label="Quotes that could not be compared" rows={unpriced} keyOf={({ quoteId }) => quoteId} columns={UNPRICED} empty="" />
    </>
  );
}
