import { Stack } from '@mantine/core';
import type { Of } from '../../api/types';
import { Rows, type RowsColumn } from '../../shared/rows';
import { useNames } from './names';
import { pathWords, valueWords, type Names } from './words';

export type Difference = Of<'PriceDifferences'>['differences'][number];

/** Rates that differ, in words and by their place in the book, old and new. */
export function Differences({ differences, currency }: { differences: readonly Difference[]; currency: string }) {
  const names = useNames();
  if (differences.length === 0) return null;
  return <Rows label="Rates that differ" rows={differences} keyOf={({ path }) => path} columns={columnsOf(currency, names)} empty="" />;
}

function columnsOf(currency: string, names: Names): RowsColumn<Difference>[] {
  const words = (path: string, value: unknown, isThere: boolean): string =>
    isThere ? valueWords(path.split('.'), value, currency, names) : 'not there';
  return [
    {
      heading: 'Rate',
      cell: ({ path }) => (
        <Stack gap={0}>
          <span>{pathWords(path, names)}</span>
          <span className="mono quiet">{path}</span>
        </Stack>
      ),
    },
    { heading: 'Old', cell: ({ path, before, change }) => words(path, before, change !== 'added'), right: true },
    { heading: 'New', cell: ({ path, after, change }) => words(path, after, change !== 'removed'), right: true },
    { heading: 'By', cell: ({ before, after }) => share(before, after), right: true },
  ];
}

/** By how much a figure changes, in hundredths of the old. */
function share(before: unknown, after: unknown): string {
  if (typeof before !== 'number' || typeof after !== 'number' || before === 0) return '–';
  const percent = ((after - before) / before) * 100;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${new Intl.NumberFormat('en-AU', { maximumFractionDigits: 1 }).format(Math.abs(percent))} %`;
}
