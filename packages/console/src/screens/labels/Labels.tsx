import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi, type Schema, studio } from '../../api/studio';
import { invalidateNouns } from '../../live/nouns';
import { useEnvironment } from '../../session/environment';
import { Action } from '../../shared/action';
import { ErrorAlert } from '../../shared/feedback';
import { Panel, Screen } from '../../shared/layout';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { plural, statusLabel } from '../../shared/words';

type Import = Schema<'TrackingImport'>;
type Row = Import['rows'][number];

/** The files of the label program: packed orders for it, and its tracking numbers. */
export function Labels() {
  return (
    <Screen title="Labels">
      <PackedOrders />
      <TrackingNumbers />
    </Screen>
  );
}

function PackedOrders() {
  const [environment] = useEnvironment();
  return (
    <Panel title="Packed orders">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">Printed orders without a parcel, for the import of your label program. Orders to collect are left out.</Text>
        <Anchor href={`/studio/v1/packed-orders.csv?environment=${environment}`} download size="sm">
          Download packed orders (CSV)
        </Anchor>
      </Stack>
    </Panel>
  );
}

/** A file with what it would do, or what it did. */
interface Read {
  name: string;
  file: string;
  result: Import;
}

const send = (file: string, dryRun: boolean): Promise<Import> => callApi(studio.POST('/tracking-files', { body: { file, dryRun } }));

function TrackingNumbers() {
  const queries = useQueryClient();
  const forgetFile = useRef<() => void>(null);
  const reading = useMutation({
    mutationFn: async (chosen: File): Promise<Read> => {
      const file = toBase64(await chosen.arrayBuffer());
      return { name: chosen.name, file, result: await send(file, true) };
    },
  });
  const recording = useMutation({
    mutationFn: async ({ name, file }: Read): Promise<Read> => ({ name, file, result: await send(file, false) }),
    onSuccess: () => invalidateNouns(queries, ['order', 'orders', 'today']),
  });
  const shown = recording.data ?? reading.data;
  return (
    <Panel
      title="Tracking numbers"
      beside={
        <FileButton
          resetRef={forgetFile}
          accept=".csv,.txt,text/csv,text/plain"
          onChange={(file) => {
            recording.reset();
            if (file !== null) reading.mutate(file);
            forgetFile.current?.(); // so the same file can be chosen again
          }}
        >
          {(props) => (
            <Button variant="default" loading={reading.isPending} {...props}>
              Choose file
            </Button>
          )}
        </FileButton>
      }
    >
      <Stack gap="sm">
        <Text size="sm">The file of your label program with order and tracking numbers. You see each row before it is recorded.</Text>
        <ErrorAlert error={reading.error} />
        {shown !== undefined && (
          <>
            <Group justify="space-between">
              <Text role="status">{summaryOf(shown)}</Text>
              {shown.result.dryRun && changesOf(shown.result) > 0 && (
                <Action
                  label="Record rows"
                  title={`Record ${shown.name}`}
                  consequences={[
                    `${plural(shown.result.added, 'parcel')} added, ${plural(shown.result.delivered, 'delivery', 'deliveries')} recorded.`,
                    'Clients are notified of each new parcel. The same file adds no parcel again.',
                  ]}
                  retry="safe"
                  run={() => recording.mutateAsync(shown)}
                  toast={({ result }) => `${plural(result.added, 'parcel')} added`}
                  button={{ variant: 'filled' }}
                />
              )}
            </Group>
            <StaticTable
              label="Rows of the file"
              rows={shown.result.rows}
              columns={COLUMNS}
              keyOf={({ row }) => String(row)}
              empty="No rows"
            />
          </>
        )}
      </Stack>
    </Panel>
  );
}

const changesOf = ({ added, delivered }: Import): number => added + delivered;

function summaryOf({ name, result: { dryRun, added, delivered, unchanged, refused, failed } }: Read): string {
  const counts = [`${added} added`, `${delivered} delivered`, `${unchanged} unchanged`, `${refused} refused`];
  const failures = failed === 0 ? '' : `, ${failed} failed. Choose the file again`;
  return `${name}: ${dryRun ? 'preview of ' : ''}${counts.join(', ')}${failures}`;
}

const COLUMNS: readonly RowsColumn<Row>[] = [
  { heading: 'Row', cell: ({ row }) => row },
  { heading: 'Order', cell: ({ orderNumber, outcome }) => <OrderLink number={orderNumber} isKnown={outcome !== 'refused'} /> },
  { heading: 'Tracking', wrap: true, cell: ({ trackingNumber }) => <span className="wraps">{trackingNumber || '–'}</span> },
  { heading: 'Carrier', wrap: true, cell: ({ carrier }) => carrier ?? '–' },
  { heading: 'Delivered', cell: ({ deliveredAt }) => <Time at={deliveredAt} /> },
  { heading: 'Result', cell: ({ outcome }) => statusLabel(outcome) },
  { heading: 'Reason', wrap: true, cell: ({ error }) => error?.message ?? '' },
];

function OrderLink({ number, isKnown }: { number: string; isKnown: boolean }) {
  if (!isKnown) return <span className="wraps">{number}</span>;
  return (
    <TextLink to="/orders/$order" params={{ order: number }}>
      {number}
    </TextLink>
  );
}

function toBase64(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}
