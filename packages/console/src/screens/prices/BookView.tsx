import { Accordion, Button, Code, Group, ScrollArea, SegmentedControl, Stack, Table, Text, Title, type TitleOrder } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StaticTable, type RowsColumn } from '../../shared/list';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { personName } from '../../shared/words';
import { Time } from '../../shared/time';
import { BookLink, BookLinks, StateBadge } from './BookList';
import { bookQuery, currencyOf, type Document, stateOf, type Summary, useNames } from './books';
import { layOut, type Leaf } from './layout';
import { labelOf, type Names, valueWords } from './words';

export function BookView({ version, books }: { version: number; books: readonly Summary[] }) {
  const [format, setFormat] = useState('table');
  const names = useNames();
  const { data: stored, error, refetch } = useQuery(bookQuery(version));
  if (error !== null) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (stored === undefined) return <Loading what="Loading the price book" />;
  const document = stored.book as Document;
  const json = JSON.stringify(document, null, 2);
  return (
    <Stack>
      <BookLink search={{}}>All price books</BookLink>
      <Group justify="space-between">
        <Group>
          <Title order={2} size="h3">
            Book {version}
          </Title>
          <StateBadge state={stateOf(stored, books)} />
        </Group>
        <BookLinks version={version} />
      </Group>
      <Text size="sm">
        Effective <Time at={stored.effectiveAt} />. Published by {personName(stored.publishedBy)}, <Time at={stored.createdAt} />.
      </Text>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Format"
          data={[
            { value: 'table', label: 'Table' },
            { value: 'json', label: 'JSON' },
          ]}
          value={format}
          onChange={setFormat}
        />
        <Button size="xs" variant="default" onClick={() => download(`price-book-${version}.json`, `${json}\n`)}>
          Download JSON
        </Button>
      </Group>
      {format === 'json' ? (
        <ScrollArea.Autosize mah={640} viewportProps={{ tabIndex: 0, 'aria-label': 'JSON', role: 'region' }}>
          <Code block>{json}</Code>
        </ScrollArea.Autosize>
      ) : (
        <BookSections document={document} names={names} />
      )}
    </Stack>
  );
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

interface Context {
  currency: string;
  names: Names;
}

function BookSections({ document, names }: { document: Document; names: Names }) {
  const context = { currency: currencyOf(document), names: namesIn(document, names) };
  const { values, sections, table } = layOut(document);
  const all = [...sections, ...(table ?? []).map(({ key }) => ({ key, value: document[key] as object }))];
  const inOrder = Object.keys(document).flatMap((key) => all.filter((section) => section.key === key));
  return (
    <Accordion multiple defaultValue={['general']} order={3} variant="separated">
      <Accordion.Item value="general">
        <Accordion.Control>General</Accordion.Control>
        <Accordion.Panel>
          <Values leaves={values} above={[]} context={context} label="General" />
        </Accordion.Panel>
      </Accordion.Item>
      {inOrder.map(({ key, value }) => (
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
  const { zones = [], methods = [] } = (document.shipping ?? {}) as { zones?: Method[]; methods?: Method[] };
  return new Map([...names, ...[...zones, ...methods].map(({ id, name }): [string, string] => [id, name])]);
}
interface Method {
  id: string;
  name: string;
}

function SectionView({ value, above, level, context }: { value: object; above: readonly string[]; level: number; context: Context }) {
  const { values, table, sections } = layOut(value);
  const label = labelOf(above.at(-1) ?? '', context.names);
  return (
    <Stack gap="xs">
      {values.length > 0 && <Values leaves={values} above={above} context={context} label={label} />}
      {table !== null && <Entries rows={table} above={above} context={context} label={label} />}
      {sections.map((section) => (
        <Stack key={section.key} gap={4} mt="xs">
          <Title order={Math.min(level, 6) as TitleOrder} size="h5">
            {labelOf(section.key, context.names)}
          </Title>
          <SectionView value={section.value} above={[...above, section.key]} level={level + 1} context={context} />
        </Stack>
      ))}
    </Stack>
  );
}

interface ValuesProps {
  leaves: readonly Leaf[];
  above: readonly string[];
  context: Context;
  label: string;
}

function Values({ leaves, above, context, label }: ValuesProps) {
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

interface EntriesProps {
  rows: readonly Entry[];
  above: readonly string[];
  context: Context;
  label: string;
}

function Entries({ rows, above, context, label }: EntriesProps) {
  const paths = [...new Map(rows.flatMap(({ leaves }) => leaves).map(({ path }) => [path.join('.'), path])).values()];
  const isNumbered = rows.every(({ key }, index) => key === String(index));
  const named: RowsColumn<Entry> = { heading: label, cell: ({ key }) => labelOf(key, context.names) };
  const columns = paths.map((path): RowsColumn<Entry> => ({
    heading: path.map((key) => labelOf(key, context.names)).join(', '),
    cell: ({ key, leaves }) => {
      const leaf = leaves.find((each) => each.path.join('.') === path.join('.'));
      return valueWords([...above, key, ...path], leaf?.value, context.currency, context.names);
    },
  }));
  return <StaticTable label={label} rows={rows} columns={isNumbered ? columns : [named, ...columns]} keyOf={({ key }) => key} empty="" />;
}
