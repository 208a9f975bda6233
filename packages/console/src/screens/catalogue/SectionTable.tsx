import { Badge, ColorSwatch, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type BodyOf, callApi, studio } from '../../api/studio';
import { Action, useActionForm } from '../../shared/action';
import { DayInput } from '../../shared/inputs';
import { TextLink } from '../../shared/text-link';
import { Day } from '../../shared/time';
import { useToday } from '../../shared/today';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { CLIENT_NOT_NOTIFIED, NO_RESULTS } from '../../shared/words';
import { RowForm, rowFrom, valuesOf } from './RowForm';
import { idField, idOf, isMaterial, isWithdrawn, nameOf, openOrdersQuery, type Row, stockDay } from './rows';
import { type Section, SECTIONS } from './sections';

export function SectionTable({ section, rows, all }: { section: Section; rows: readonly Row[]; all: readonly Row[] }) {
  const { title, fields } = SECTIONS[section];
  const openOrders = useQuery(openOrdersQuery(section)).data;
  const possibleColumns: (RowsColumn<Row> | false)[] = [
    { heading: 'Name', wrap: true, cell: (row) => <Name section={section} row={row} /> },
    { heading: 'ID', wrap: true, cell: (row) => <span className="mono">{idOf(section, row)}</span> },
    ...fields
      .filter(({ shown }) => shown)
      .map(({ name, label, kind }): RowsColumn<Row> => ({
        heading: label,
        wrap: kind !== 'integer' && kind !== 'boolean',
        cell: (row) => <Value value={row[name]} hex={row[`${name}Hex`]} />,
        right: kind === 'integer',
      })),
    isMaterial(section) && {
      heading: 'Open orders',
      cell: (row) => <OpenOrdersLink section={section} row={row} count={openOrders?.get(idOf(section, row))} />,
      right: true,
    },
    {
      heading: '',
      cell: (row) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <SaveRow section={section} row={row} rows={all} />
          {isMaterial(section) && <Stock section={section} row={row} />}
          <Withdraw section={section} row={row} openOrders={openOrders?.get(idOf(section, row)) ?? 0} />
        </Group>
      ),
      right: true,
    },
  ];
  const columns = possibleColumns.filter((column) => column !== false);
  return (
    <StaticTable
      label={title}
      rows={rows}
      columns={columns}
      keyOf={(row) => idOf(section, row)}
      empty={all.length === 0 ? 'Nothing here yet' : NO_RESULTS}
    />
  );
}

/** Links to the open orders that need a material. */
function OpenOrdersLink({ section, row, count = 0 }: { section: Section; row: Row; count: number | undefined }) {
  if (count === 0) return '–';
  return (
    <TextLink
      to="/board"
      search={{ material: `${section}/${idOf(section, row)}` }}
      underline="always"
      aria-label={`${ordersInWords(count)} with ${nameOf(section, row)}`}
    >
      {count}
    </TextLink>
  );
}

const ordersInWords = (count: number): string => `${count} open ${count === 1 ? 'order' : 'orders'}`;

function Name({ section, row }: { section: Section; row: Row }) {
  const until = stockDay(row);
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={500}>
        {nameOf(section, row)}
      </Text>
      {isWithdrawn(row) && (
        <Badge variant="outline" color="gray" tt="none" miw="max-content">
          Withdrawn
        </Badge>
      )}
      {until !== null && (
        <Badge variant="outline" color="orange" c="inherit" tt="none" miw="max-content">
          Out of stock until <Day day={until} />
        </Badge>
      )}
    </Group>
  );
}

function Value({ value, hex }: { value: Row[string] | undefined; hex: Row[string] | undefined }) {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof hex !== 'string') return String(value);
  return (
    <Group gap={6} wrap="nowrap">
      <ColorSwatch color={hex} size={16} radius="sm" />
      {String(value)}
    </Group>
  );
}

const VISIBLE = 'Clients see the change within a minute. New quotes use it now.';

export function SaveRow({ section, row, rows }: { section: Section; row?: Row; rows: readonly Row[] }) {
  const { one, fields } = SECTIONS[section];
  const form = useActionForm(() => valuesOf(fields, row));
  const isNew = row === undefined;
  const id = isNew ? String(form.values[idField(section)] ?? '').trim() : idOf(section, row);
  const name = isNew ? id : nameOf(section, row);
  const isTaken = isNew && rows.some((other) => idOf(section, other) === id);
  // Fields that this build does not know stay as they are.
  const body = { ...row, ...rowFrom(fields, form.values), withdrawn: undefined, outOfStockUntil: undefined } as BodyOf<'putRow'>;
  return (
    <Action
      label={isNew ? `Add ${one}` : 'Edit'}
      {...(isNew ? { button: { variant: 'filled' } } : { confirm: 'Save', target: name, button: { size: 'compact-xs' } })}
      title={isNew ? `Add ${one}` : `Edit ${name}`}
      consequences={[
        VISIBLE,
        isNew ? 'Quotes with it are refused until a price book has its rate.' : 'Existing quotes and orders keep their prices.',
      ]}
      retry="safe"
      run={() => callApi(studio.PUT('/catalogue/{section}/{id}', { params: { path: { section, id } }, body }))}
      toast={() => `${name} saved`}
      {...form.action}
      ready={id !== '' && !isTaken}
      notReadyReason={isTaken ? `The ID ${id} exists already` : 'Enter an ID'}
    >
      {(issues) => <RowForm fields={isNew ? fields : fields.filter(({ kind }) => kind !== 'id')} form={form} issues={issues} />}
    </Action>
  );
}

function Stock({ section, row }: { section: Section; row: Row }) {
  const path = { section, id: idOf(section, row) };
  const name = nameOf(section, row);
  const until = stockDay(row);
  const form = useActionForm(() => ({ until: until ?? '' }));
  const today = useToday();
  return (
    <Action
      label="Stock"
      confirm="Save"
      button={{ size: 'compact-xs' }}
      target={name}
      title={`Stock of ${name}`}
      consequences={['Open orders and their job sheets show the day. Quotes do not change.', CLIENT_NOT_NOTIFIED]}
      retry="safe"
      run={() =>
        callApi(studio.PUT('/catalogue/{section}/{id}/stock', { params: { path }, body: { outOfStockUntil: form.values.until || null } }))
      }
      toast={() => (form.values.until === '' ? `${name} is in stock` : `${name} is out of stock`)}
      {...form.action}
    >
      <DayInput
        label="Out of stock until"
        description="The last day without stock. Empty means in stock."
        minDate={today}
        {...form.field('until')}
      />
    </Action>
  );
}

function Withdraw({ section, row, openOrders }: { section: Section; row: Row; openOrders: number }) {
  const withdrawn = !isWithdrawn(row);
  const path = { section, id: idOf(section, row) };
  const name = nameOf(section, row);
  return (
    <Action
      label={withdrawn ? 'Withdraw' : 'Restore'}
      button={{ size: 'compact-xs' }}
      target={name}
      title={`${withdrawn ? 'Withdraw' : 'Restore'} ${name}`}
      consequences={
        withdrawn
          ? [
              'New quotes with it are refused.',
              openOrders === 0
                ? 'Existing quotes and orders keep it.'
                : `Existing quotes and orders keep it: ${ordersInWords(openOrders)}.`,
              CLIENT_NOT_NOTIFIED,
            ]
          : [VISIBLE, CLIENT_NOT_NOTIFIED]
      }
      retry="safe"
      run={() => callApi(studio.PATCH('/catalogue/{section}/{id}', { params: { path }, body: { withdrawn } }))}
      toast={() => `${name} ${withdrawn ? 'withdrawn' : 'restored'}`}
    />
  );
}
