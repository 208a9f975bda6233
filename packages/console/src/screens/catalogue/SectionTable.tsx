import { Badge, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import type { BodyOf } from '../../api/types';
import { Action } from '../../shared/action';
import { Rows, type RowsColumn } from '../../shared/list';
import { RowForm, rowOf, Swatch, typedOf } from './RowForm';
import { fieldsOf, idField, idOf, isWithdrawn, nameOf, type Row } from './rows';
import { type Field, type Section, SECTIONS } from './sections';

export function SectionTable({ section, rows, all }: { section: Section; rows: readonly Row[]; all: readonly Row[] }) {
  const { title } = SECTIONS[section];
  return (
    <Rows
      label={title}
      rows={rows}
      columns={columnsOf(section, all)}
      keyOf={(row) => idOf(section, row)}
      empty={all.length === 0 ? 'Nothing is in this section yet: add a row, and clients can choose it.' : 'No row has these words in it.'}
    />
  );
}

function columnsOf(section: Section, all: readonly Row[]): RowsColumn<Row>[] {
  return [
    { heading: 'Name', cell: (row) => <Name section={section} row={row} /> },
    ...SECTIONS[section].fields.filter(({ shown }) => shown).map((field) => columnOf(field)),
    { heading: 'State', cell: (row) => <State row={row} /> },
    {
      heading: 'What to do',
      cell: (row) => (
        <Group gap="xs" justify="flex-end">
          <WriteRow section={section} row={row} rows={all} />
          <Withdraw section={section} row={row} />
        </Group>
      ),
      right: true,
    },
  ];
}

function Name({ section, row }: { section: Section; row: Row }) {
  const name = nameOf(section, row);
  const id = idOf(section, row);
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {id !== name && <span className="mono quiet">{id}</span>}
    </Stack>
  );
}

function columnOf({ name, label, kind }: Field): RowsColumn<Row> {
  return { heading: label, cell: (row) => <Value value={row[name]} swatch={row[`${name}Hex`]} />, right: kind === 'whole' };
}

function Value({ value, swatch }: { value: Row[string] | undefined; swatch: Row[string] | undefined }) {
  if (value === null || value === undefined || value === '') return <>–</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof swatch !== 'string') return <>{String(value)}</>;
  return (
    <Group gap={6} wrap="nowrap">
      <Swatch colour={swatch} />
      {String(value)}
    </Group>
  );
}

function State({ row }: { row: Row }) {
  const withdrawn = isWithdrawn(row);
  return (
    <Badge variant="dot" color={withdrawn ? 'gray' : 'green'} tt="none" fw={500} className="nowrap">
      {withdrawn ? 'Withdrawn' : 'On offer'}
    </Badge>
  );
}

const SEEN = 'Clients see it with their next look at the catalogue, at most a minute from now; the next quote is judged by it at once.';
const KEPT = 'Quotes that were given, and orders, keep their prices. Documents printed from now on have the new names of materials.';
const PRICED = 'It can be chosen once a price book has a rate for it; until then quotes with it are refused.';

export function WriteRow({ section, row, rows }: { section: Section; row?: Row; rows: readonly Row[] }) {
  const isNew = row === undefined;
  const fields = fieldsOf(section, row);
  const [form, setForm] = useState(() => typedOf(fields, row));
  const { one } = SECTIONS[section];
  const id = isNew ? String(form[idField(section)] ?? '').trim() : idOf(section, row);
  const isTaken = isNew && rows.some((other) => idOf(section, other) === id);
  const run = () =>
    ask(studio.PUT('/catalogue/{section}/{id}', { params: { path: { section, id } }, body: rowOf(fields, form) as BodyOf<'putRow'> }));
  return (
    <Action
      label={isNew ? `Add a ${one}` : 'Edit'}
      {...(isNew ? {} : { to: nameOf(section, row) })}
      title={isNew ? `Add a ${one}` : `Edit ${nameOf(section, row)}`}
      says={isNew ? [SEEN, PRICED] : [SEEN, KEPT]}
      repeats="safely"
      run={run}
      done={() => (isNew ? `${id} is in the catalogue` : `${id} is changed`)}
      ready={id !== '' && !isTaken}
      onOpen={() => setForm(typedOf(fields, row))}
    >
      {(issues) => (
        <>
          {!isNew && <Text className="mono">{id}</Text>}
          <RowForm fields={fields} form={form} change={setForm} issues={issues} isNew={isNew} />
          {isTaken && (
            <Text size="sm" role="alert">
              {id} is there already: edit that row, or take another id.
            </Text>
          )}
        </>
      )}
    </Action>
  );
}

const AWAY = [
  'New quotes with it are refused at once, and the refusal names what could be taken instead. Clients see it go from the catalogue at most a minute from now.',
  'Quotes that were given stay valid until they expire, and can still be ordered.',
  'Orders are not touched: what was ordered is made. No client is told by itself.',
];
const BACK = ['New quotes with it are priced again at once. Clients see it in the catalogue at most a minute from now.'];

function Withdraw({ section, row }: { section: Section; row: Row }) {
  const withdrawn = !isWithdrawn(row);
  const id = idOf(section, row);
  const name = nameOf(section, row);
  const path = { section, id };
  return (
    <Action
      label={withdrawn ? 'Withdraw' : 'Offer again'}
      to={name}
      title={withdrawn ? `Withdraw ${name}` : `Offer ${name} again`}
      says={withdrawn ? AWAY : BACK}
      repeats="safely"
      run={() => ask(studio.PATCH('/catalogue/{section}/{id}', { params: { path }, body: { withdrawn } }))}
      done={() => (withdrawn ? `${name} is withdrawn` : `${name} is on offer again`)}
    />
  );
}
