import { Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type BodyOf, callApi, type Schema, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { Loaded } from '../../shared/feedback';
import { FactList, Panel } from '../../shared/layout';

type Program = Schema<'LabelProgram'>;
type NewProgram = BodyOf<'changeLabelProgram'>;
type Value = NewProgram['orderColumns'][number]['value'];
type TrackingColumn = keyof Program['trackingColumns'];

const TRACKING_COLUMNS: readonly { name: TrackingColumn; label: string; isRequired?: true }[] = [
  { name: 'orderNumber', label: 'Order', isRequired: true },
  { name: 'trackingNumber', label: 'Tracking number', isRequired: true },
  { name: 'carrier', label: 'Carrier' },
  { name: 'service', label: 'Service' },
  { name: 'trackingUrl', label: 'Tracking page' },
  { name: 'shippedAt', label: 'Shipped' },
  { name: 'deliveredAt', label: 'Delivered' },
];

/** The columns of the files that the label program reads and writes. Only admins change them. */
export function LabelProgram() {
  const isAdmin = useHasRole('admin');
  const query = useQuery({ queryKey: ['settings', 'label-program'], queryFn: () => callApi(studio.GET('/label-program')) });
  return (
    <Panel title="Label program" beside={isAdmin && query.data && <EditLabelProgram program={query.data} />}>
      <Loaded query={query} what="Loading the label program">
        {({ orderColumns, trackingColumns }) => (
          <FactList
            facts={{
              'Packed orders': orderColumns.map(({ heading }) => heading).join(', '),
              'Tracking numbers': TRACKING_COLUMNS.flatMap(({ name }) => trackingColumns[name] ?? []).join(', '),
            }}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** One column in each line, such as `Postcode: postcode`. A heading can have a colon. */
const columnsToText = (columns: Program['orderColumns']): string => columns.map(({ heading, value }) => `${heading}: ${value}`).join('\n');

function columnsFrom(text: string): NewProgram['orderColumns'] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.lastIndexOf(':');
      return { heading: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() as Value };
    });
}

function EditLabelProgram({ program }: { program: Program }) {
  const form = useActionForm(
    () => ({
      columns: columnsToText(program.orderColumns),
      ...Object.fromEntries(TRACKING_COLUMNS.map(({ name }) => [name, program.trackingColumns[name] ?? ''])),
    }),
    ({ columns, ...headings }) => ({
      columns:
        columnsFrom(columns).some(({ heading, value }) => heading === '' || String(value) === '') && 'Write each column as Heading: value',
      headings:
        TRACKING_COLUMNS.some(({ name, isRequired }) => isRequired === true && textOf(headings, name) === '') &&
        'Enter the headings of order and tracking number',
    }),
  );
  const { columns, ...headings } = form.values;
  const body = {
    orderColumns: columnsFrom(columns),
    trackingColumns: Object.fromEntries(
      TRACKING_COLUMNS.map(({ name }) => [name, textOf(headings, name) || null]),
    ) as Program['trackingColumns'],
  };
  return (
    <Action
      label="Edit"
      confirm="Save"
      target="label program"
      title="Edit label program"
      consequences={['The next files have these columns.']}
      retry="safe"
      run={() => callApi(studio.PUT('/label-program', { body }))}
      toast={() => 'Label program saved'}
      {...form.action}
    >
      <Textarea
        label="Columns of packed orders"
        description="One in each line, as Heading: value. The API reference lists the values."
        autosize
        minRows={4}
        maxRows={20}
        {...form.field('columns')}
      />
      {TRACKING_COLUMNS.map(({ name, label, isRequired }) => (
        <TextInput
          key={name}
          label={`Heading: ${label.toLowerCase()}`}
          maxLength={100}
          required={isRequired === true}
          {...form.getInputProps(name as never)}
        />
      ))}
    </Action>
  );
}

const textOf = (headings: object, name: TrackingColumn): string =>
  ((headings as Partial<Record<TrackingColumn, string>>)[name] ?? '').trim();
