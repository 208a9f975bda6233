import { Badge, Group, Stack, Text } from '@mantine/core';
import { Rows, type RowsColumn } from '../../shared/rows';
import { Swatch } from './RowForm';
import { idOf, isWithdrawn, nameOf, type Row } from './rows';
import { SECTIONS, type Field, type Section } from './sections';
import { Withdraw } from './Withdraw';
import { WriteRow } from './WriteRow';

/** The rows of a section as clients see them, withdrawn ones too, with what may be done to each. */
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
