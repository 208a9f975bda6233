import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, type Environment, type Schema, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { formatAmount } from '../../shared/amount';
import { Change, Money } from '../../shared/money';
import { ErrorAlert } from '../../shared/feedback';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { FactList, Panel } from '../../shared/layout';
import { plural } from '../../shared/words';
import { Time } from '../../shared/time';
import { LimitedNumberInput, WHOLE } from '../../shared/number-input';
import type { Document } from './books';

const MAX_QUOTES = 200;
const DEFAULT_QUOTES = 50;

type TrialResult = Schema<'PriceTrial'> & { environment: Environment };
type Line = TrialResult['lines'][number];
type Quote = TrialResult['quotes'][number];

/** Prices the newest quotes with the draft. Nothing is stored. */
export function Trial({ book }: { book: Document }) {
  const [environment] = useEnvironment();
  const [quotes, setQuotes] = useState<number>(DEFAULT_QUOTES);
  const trying = useMutation({
    mutationFn: async (draft: string) => {
      const body = { book: JSON.parse(draft) as unknown, quotes, environment };
      return { ...(await callApi(studio.POST('/price-books/try', { body }))), environment };
    },
  });
  const text = JSON.stringify(book);
  const isOutdated = trying.variables !== undefined && trying.variables !== text && !trying.isPending;
  return (
    <Panel title="Test on recent quotes">
      <Stack gap="xs">
        <Group align="end" gap="xs">
          <LimitedNumberInput
            label={`Newest ${environment} quotes`}
            min={1}
            max={MAX_QUOTES}
            {...WHOLE}
            value={quotes}
            onChange={(value) => typeof value === 'number' && setQuotes(value)}
            w={180}
          />
          <Button
            variant="default"
            onClick={() => trying.mutate(text)}
            loading={trying.isPending}
            disabled={quotes < 1 || quotes > MAX_QUOTES}
          >
            Run test
          </Button>
        </Group>
        {isOutdated && (
          <Text size="sm" role="status">
            The draft has changed. Run the test again.
          </Text>
        )}
        <ErrorAlert error={trying.error} />
        {trying.data !== undefined && trying.error === null && <Result trial={trying.data} />}
      </Stack>
    </Panel>
  );
}

const amountColumns = <Row,>(currency: string, before: (row: Row) => number, after: (row: Row) => number): RowsColumn<Row>[] => [
  { heading: `Current (${currency})`, cell: (row) => <span className="money">{formatAmount(before(row))}</span>, right: true },
  { heading: `Draft (${currency})`, cell: (row) => <span className="money">{formatAmount(after(row))}</span>, right: true },
  { heading: `Change (${currency})`, cell: (row) => <span className="money">{changeWords(before(row), after(row))}</span>, right: true },
];

const changeWords = (before: number, after: number): string => `${after > before ? '+' : ''}${formatAmount(after - before)}`;

const lineColumns = (currency: string): RowsColumn<Line>[] => [
  { heading: 'Line', wrap: true, cell: ({ productName, quantity, line }) => `${line + 1}: ${quantity} × ${productName}` },
  { heading: 'Account', wrap: true, cell: ({ accountName }) => accountName },
  { heading: 'Quote', cell: ({ quoteId }) => <QuoteId id={quoteId} /> },
  ...amountColumns<Line>(
    currency,
    ({ beforeCents }) => beforeCents,
    ({ afterCents }) => afterCents,
  ),
];

const quoteColumns = (currency: string): RowsColumn<Quote>[] => [
  { heading: 'Quote', cell: ({ quoteId }) => <QuoteId id={quoteId} /> },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    heading: `Delivery change (${currency})`,
    cell: ({ shippingBeforeCents, shippingAfterCents }) => changeWords(shippingBeforeCents, shippingAfterCents),
    right: true,
  },
  ...amountColumns<Quote>(
    currency,
    ({ totalBeforeCents }) => totalBeforeCents,
    ({ totalAfterCents }) => totalAfterCents,
  ),
];

const UNPRICED: RowsColumn<TrialResult['unpriced'][number]>[] = [
  { heading: 'Quote', cell: ({ quoteId }) => <QuoteId id={quoteId} /> },
  { heading: 'Refused by', cell: ({ refusedBy }) => (refusedBy === 'draft' ? 'Draft' : 'Draft and current book') },
  { heading: 'Reason', wrap: true, cell: ({ reason }) => reason },
];

const QuoteId = ({ id }: { id: string }) => (
  <span className="mono short" title={id}>
    {id}
  </span>
);

function Result({ trial }: { trial: TrialResult }) {
  const { currency, lines, quotes, looked, unpriced, environment, totalBeforeCents, totalAfterCents } = trial;
  if (looked === 0) return <Text role="status">No {environment} quotes to test. You can publish without a test.</Text>;
  const quoteIdOf = ({ quoteId }: { quoteId: string }): string => quoteId;
  return (
    <Stack>
      <Text role="status">
        {quotes.length} of {plural(looked, 'quote')} change
        {unpriced.length > 0 && `, ${unpriced.length} not priced`}.
      </Text>
      <FactList
        facts={{
          'Total, current': <Money cents={totalBeforeCents} currency={currency} />,
          'Total, draft': <Money cents={totalAfterCents} currency={currency} />,
          Change: <Change from={totalBeforeCents} to={totalAfterCents} currency={currency} />,
        }}
      />
      <Panel level={3} title="Changed lines">
        <StaticTable
          label="Changed lines"
          rows={lines}
          keyOf={({ quoteId, line }) => `${quoteId} ${line}`}
          columns={lineColumns(currency)}
          empty="None"
        />
      </Panel>
      <Panel level={3} title="Changed quotes">
        <StaticTable label="Changed quotes" rows={quotes} keyOf={quoteIdOf} columns={quoteColumns(currency)} empty="None" />
      </Panel>
      {unpriced.length > 0 && (
        <Panel level={3} title="Not priced">
          <StaticTable label="Not priced" rows={unpriced} keyOf={quoteIdOf} columns={UNPRICED} empty="" />
        </Panel>
      )}
    </Stack>
  );
}
