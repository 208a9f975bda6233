import { Accordion, Code, Group, ScrollArea, SegmentedControl, Stack, Table, Text, Title, type TitleOrder } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Copy } from '../../shared/copy';
import { StaticTable, type RowsColumn } from '../../shared/list';
import { Loaded } from '../../shared/feedback';
import { personName } from '../../shared/words';
import { Time } from '../../shared/time';
import { PricesLink, BookActions, StateBadge } from './BookList';
import { bookQuery, currencyOf, type Book, type Document, useNames } from './books';
import { layOut, type Leaf } from './layout';
import { labelOf, type Names, valueWords } from './words';

export function BookView({ version, books }: { version: number; books: readonly Book[] }) {
  const [format, setFormat] = useState('table');
  const names = useNames();
  const state = books.find((book) => book.version === version)?.state;
  return (
    <Loaded query={useQuery(bookQuery(version))} what="Loading the price book">
      {(stored) => (
        <Stack>
          <PricesLink search={{}}>All price books</PricesLink>
          <Group justify="space-between">
            <Group>
              <Title order={2} size="h3">
                Book {version}
              </Title>
              {state !== undefined && <StateBadge state={state} />}
            </Group>
            <BookActions version={version} />
          </Group>
          <Text size="sm">
            Effective <Time at={stored.effectiveAt} />. Published by {personName(stored.publishedBy)}, <Time at={stored.createdAt} />.
          </Text>
          <SegmentedControl
            size="xs"
            w="fit-content"
            aria-label="Format"
            data={[
              { value: 'table', label: 'Table' },
              { value: 'json', label: 'JSON' },
            ]}
            value={format}
            onChange={setFormat}
          />
          {format === 'json' ? <Json of={stored.book} /> : <BookSections document={stored.book as Document} names={names} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Json({ of }: { of: unknown }) {
  const json = JSON.stringify(of, null, 2);
  return (
    <>
      <Group>
        <Copy text={json} aria-label="Copy JSON" />
      </Group>
      <ScrollArea.Autosize mah={640} viewportProps={{ tabIndex: 0, 'aria-label': 'JSON', role: 'region' }}>
        <Code block>{json}</Code>
      </ScrollArea.Autosize>
    </>
  );
}

interface Context {
  currency: string;
  names: Names;
}

function BookSections({ document, names }: { document: Document; names: Names }) {
  const context = { currency: currencyOf(document), names: namesIn(document, names) };
  const { values, sections } = layOut(document);
  return (
    <Accordion multiple defaultValue={['general']} order={3} variant="separated">
      <Accordion.Item value="general">
        <Accordion.Control>General</Accordion.Control>
        <Accordion.Panel>
          <Values leaves={values} above={[]} context={context} label="General" />
        </Accordion.Panel>
      </Accordion.Item>
      {sections.map(({ key, value }) => (
        <Accordion.Item key={key} value={key}>
          <Accordion.Control>{labelOf(key, context.names)}</Accordion.Control>
          <Accordion.Panel>
            <SectionView value={value} above={[key]} level={4} context={context} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** The book has the names of its zones and methods. */
function namesIn(document: Document, names: Names): Names {
  const { zones = [], methods = [] } = (document.shipping ?? {}) as Record<string, { id: string; name: string }[]>;
  return new Map([...names, ...[...zones, ...methods].map(({ id, name }): [string, string] => [id, name])]);
}

function SectionView({ value, above, level, context }: { value: object; above: readonly string[]; level: number; context: Context }) {
  const { values, table, sections } = layOut(value);
  const label = labelOf(above.at(-1) ?? '', context.names);
  return (
    <Stack gap="xs">
      {values.length > 0 && <Values leaves={values} above={above} context={context} label={label} />}
      {table !== null ? (
        <Entries rows={table} above={above} context={context} label={label} />
      ) : (
        sections.map((section) => (
          <Stack key={section.key} gap={4} mt="xs">
            <Title order={Math.min(level, 6) as TitleOrder} size="h5">
              {labelOf(section.key, context.names)}
            </Title>
            <SectionView value={section.value} above={[...above, section.key]} level={level + 1} context={context} />
          </Stack>
        ))
      )}
    </Stack>
  );
}

interface PartProps {
  /** The keys above it in the book. */
  above: readonly string[];
  context: Context;
  label: string;
}

function Values({ leaves, above, context, label }: PartProps & { leaves: readonly Leaf[] }) {
  return (
    <Table aria-label={label} verticalSpacing={4} layout="fixed">
      <Table.Tbody>
        {leaves.map(({ path, value }) => (
          <Table.Tr key={path.join('.')}>
            <Table.Th scope="row" fw={500}>
              {labelOf(path[0] ?? '', context.names)}
            </Table.Th>
            <Table.Td className="anywhere">{valueWords([...above, ...path], value, context.currency, context.names)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

type Entry = NonNullable<ReturnType<typeof layOut>['table']>[number];

function Entries({ rows, above, context, label }: PartProps & { rows: readonly Entry[] }) {
  const paths = [...new Map(rows.flatMap(({ leaves }) => leaves).map(({ path }) => [path.join('.'), path])).values()];
  const isNumbered = rows.every(({ key }, index) => key === String(index));
  const named: RowsColumn<Entry> = { heading: label, wrap: true, cell: ({ key }) => labelOf(key, context.names) };
  const columns = paths.map((path): RowsColumn<Entry> => ({
    heading: path.map((key) => labelOf(key, context.names)).join(', '),
    cell: ({ key, leaves }) => {
      const leaf = leaves.find((each) => each.path.join('.') === path.join('.'));
      return valueWords([...above, key, ...path], leaf?.value, context.currency, context.names);
    },
  }));
  return <StaticTable label={label} rows={rows} columns={isNumbered ? columns : [named, ...columns]} keyOf={({ key }) => key} empty="" />;
}
