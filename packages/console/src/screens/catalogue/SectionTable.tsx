import { Badge, ColorSwatch, Group, Text } from '@mantine/core';
import { type BodyOf, callApi, studio } from '../../api/studio';
import { Action, useActionForm } from '../../shared/action';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { CLIENT_NOT_NOTIFIED, NO_RESULTS } from '../../shared/words';
import { RowForm, rowFrom, valuesOf } from './RowForm';
import { idField, idOf, isWithdrawn, nameOf, type Row } from './rows';
import { type Section, SECTIONS } from './sections';

export function SectionTable({ section, rows, all }: { section: Section; rows: readonly Row[]; all: readonly Row[] }) {
  const { title, fields } = SECTIONS[section];
  const columns: RowsColumn<Row>[] = [
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
    {
      heading: '',
      cell: (row) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <SaveRow section={section} row={row} rows={all} />
          <Withdraw section={section} row={row} />
        </Group>
      ),
      right: true,
    },
  ];
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

function Name({ section, row }: { section: Section; row: Row }) {
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
  const body = { ...row, ...rowFrom(fields, form.values), withdrawn: undefined } as BodyOf<'putRow'>;
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

function Withdraw({ section, row }: { section: Section; row: Row }) {
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
          ? ['New quotes with it are refused.', 'Existing quotes and orders keep it.', CLIENT_NOT_NOTIFIED]
          : [VISIBLE, CLIENT_NOT_NOTIFIED]
      }
      retry="safe"
      run={() => callApi(studio.PATCH('/catalogue/{section}/{id}', { params: { path }, body: { withdrawn } }))}
      toast={() => `${name} ${withdrawn ? 'withdrawn' : 'restored'}`}
    />
  );
}
