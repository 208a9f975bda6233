import { Button, Group, NumberInput, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import type { Environment, Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { Rows, type RowsColumn } from '../../shared/list';
import { Change, Money } from '../../shared/money';
import { Refused } from '../../shared/told';
import { When } from '../../shared/when';
import type { Document } from './books';

const MOST_QUOTES = 200;
const USUAL_QUOTES = 50;

/** The draft on the newest quotes: what each line of them would cost. Nothing is stored, and nobody is told. */
export function Trial({ book }: { book: Document }) {
  const [environment] = useEnvironment();
  const [quotes, setQuotes] = useState<number>(USUAL_QUOTES);
  const trying = useMutation({
    mutationFn: async (tried: string) => {
      const body = { book: JSON.parse(tried) as unknown, quotes, environment };
      return { ...(await ask(studio.POST('/price-books/try', { body }))), environment };
    },
  });
  const text = JSON.stringify(book);
  const isOld = trying.variables !== undefined && trying.variables !== text;
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        Try it
      </Title>
      <Group align="end" gap="xs">
        <NumberInput
          label={`Newest ${environment} quotes`}
          description={`At most ${MOST_QUOTES}`}
          min={1}
          max={MOST_QUOTES}
          clampBehavior="strict"
          allowDecimal={false}
          value={quotes}
          onChange={(value) => typeof value === 'number' && setQuotes(value)}
          w={180}
        />
        <Button onClick={() => trying.mutate(text)} loading={trying.isPending}>
          Try it
        </Button>
        <Text size="sm">Nothing is stored, and no client is told.</Text>
      </Group>
      {isOld && !trying.isPending && (
        <Text size="sm" role="status">
          The draft was changed since: what follows is of the one before.
        </Text>
      )}
      <Refused error={trying.error} />
      {trying.data !== undefined && trying.error === null && <TrialResult trial={trying.data} />}
    </Stack>
  );
}

type PricedTrial = Of<'PriceTrial'> & { environment: Environment };

const lineColumns = (currency: string): RowsColumn<PricedTrial['lines'][number]>[] => [
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

const quoteColumns = (currency: string): RowsColumn<PricedTrial['quotes'][number]>[] => [
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

const UNPRICED: RowsColumn<PricedTrial['unpriced'][number]>[] = [
  { heading: 'Quote', cell: ({ quoteId }) => <span className="mono">{quoteId}</span> },
  {
    heading: 'Refused by',
    cell: ({ refusedBy }) => (refusedBy === 'draft' ? 'the draft alone' : 'the book in force too'),
  },
  { heading: 'Why', cell: ({ reason }) => reason },
];

function TrialResult({ trial }: { trial: PricedTrial }) {
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
  const sums = {
    'By the book in force': <Money cents={before} currency={currency} />,
    'By the draft': <Money cents={after} currency={currency} />,
    Difference: (
      <strong>
        <Change from={before} to={after} currency={currency} />
      </strong>
    ),
  };
  return (
    <Table aria-label="Sums of what was compared" maw={420}>
      <Table.Tbody>
        {Object.entries(sums).map(([heading, sum]) => (
          <Table.Tr key={heading}>
            <Table.Th scope="row">{heading}</Table.Th>
            <Table.Td ta="right">{sum}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Unpriced({ unpriced }: { unpriced: PricedTrial['unpriced'] }) {
  return (
    <>
      <Title order={3} size="h4">
        Not compared
      </Title>
      <Rows label="Quotes that could not be compared" rows={unpriced} keyOf={({ quoteId }) => quoteId} columns={UNPRICED} empty="" />
    </>
  );
}
