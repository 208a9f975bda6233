import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../api/studio';
import { useEnvironment } from '../session/environment';
import { formatMoney } from '../shared/amount';
import { ErrorAlert } from '../shared/feedback';
import { useSearchParams } from '../shared/search-params';
import { plural } from '../shared/words';

type Ageing = Schema<'InvoiceAgeing'>;

interface Tile {
  bucket: string;
  label: string;
  count: number;
  cents: number;
}

const tilesOf = ({ buckets, paidThisMonth }: Ageing): readonly Tile[] => [
  ...(['current', 'days1To30', 'days31To60', 'days61Plus'] as const).map((bucket) => ({
    bucket,
    label: LABELS[bucket],
    count: buckets[bucket].invoices,
    cents: buckets[bucket].dueCents,
  })),
  { bucket: 'paidThisMonth', label: 'Payments this month', count: paidThisMonth.invoices, cents: paidThisMonth.paidCents },
];

const LABELS = {
  current: 'Current',
  days1To30: '1–30 days overdue',
  days31To60: '31–60 days overdue',
  days61Plus: '61+ days overdue',
} as const;

/** The amounts due by age. A tile filters the list below, and a second click clears the filter. */
export function AgeingTiles({ accountId }: { accountId: string | undefined }) {
  const [environment] = useEnvironment();
  const [{ bucket: chosen }, change] = useSearchParams();
  const query = { environment, accountId };
  const { data, error, refetch } = useQuery({
    queryKey: ['invoices', 'ageing', query],
    queryFn: () => callApi(studio.GET('/invoices/ageing', { params: { query } })),
  });
  if (error !== null) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" role="group" aria-label="Amounts due by age">
      {tilesOf(data).map(({ bucket, label, count, cents }) => (
        <Paper
          key={bucket}
          component="button"
          type="button"
          ta="left"
          withBorder
          px="sm"
          py="xs"
          aria-pressed={bucket === chosen}
          {...(bucket === chosen && { bg: 'var(--mantine-primary-color-light)' })}
          onClick={() => change({ bucket: bucket === chosen ? undefined : bucket })}
        >
          <Text size="sm">{label}</Text>
          <Text size="lg" fw={700} className="money">
            {formatMoney(cents)}
          </Text>
          <Text size="xs">{plural(count, 'invoice')}</Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
