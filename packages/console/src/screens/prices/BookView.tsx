import { Accordion, Button, Code, Group, ScrollArea, Stack, Table, Text, Title, type TitleOrder } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Rows, type RowsColumn } from '../../shared/list';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { BookLink, StandingBadge } from './BookList';
import { bookQuery, currencyOf, type Document, standingOf, type Summary, useNames } from './books';
import { type Leaf, partOf } from './parts';
import { labelOf, type Names, valueWords } from './words';

export function BookView({ version, books }: { version: number; books: readonly Summary[] }) {
  const [isRaw, showRaw] = useState(false);
  const names = useNames();
  const { data: stored, error, refetch } = useQuery(bookQuery(version));
  if (error !== null) return <Refused error={error} retry={() => void refetch()} />;
  if (stored === undefined) return <Waiting what="Reading the book" />;
  const document = stored.book as Document;
  const json = JSON.stringify(document, null, 2);
  return (
    <Stack>
      <div>
        <BookLink search={{}}>All books</BookLink>
      </div>
      <Group>
        <Title order={2}>Book {version}</Title>
        <StandingBadge standing={standingOf(stored, books)} />
      </Group>
      <Text size="sm">
        In force from <When at={stored.effectiveAt} />, published by {stored.publishedBy} on <When at={stored.createdAt} />.
      </Text>
      <Group gap="xs">
        <BookLink search={{ view: 'draft', from: String(version) }} variant="filled">
          Draft from it
        </BookLink>
        <BookLink search={{ view: 'compare', book: String(version) }} variant="default">
          Compare
        </BookLink>
        <Button size="xs" variant="default" onClick={() => download(`price-book-${version}.json`, `${json}\n`)}>
          Download as JSON
        </Button>
        <Button size="xs" variant="default" aria-pressed={isRaw} onClick={() => showRaw(!isRaw)}>
          {isRaw ? 'Show it in words' : 'Show it as JSON'}
        </Button>
      </Group>
      {isRaw ? (
        <ScrollArea.Autosize mah={640} viewportProps={{ tabIndex: 0, 'aria-label': 'The book as JSON', role: 'region' }}>
          <Code block>{json}</Code>
        </ScrollArea.Autosize>
      ) : (
        <BookParts document={document} names={names} />
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

function BookParts({ document, names }: { document: Document; names: Names }) {
  const context = { currency: currencyOf(document), names: namesIn(document, names) };
  const { values, parts, table } = partOf(document);
  const all = [...parts, ...(table ?? []).map(({ key }) => ({ key, value: document[key] as object }))];
  const inOrder = Object.keys(document).flatMap((key) => all.filter((part) => part.key === key));
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
            <PartView value={value} above={[key]} level={4} context={context} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Zones and methods have their names in the book itself. */
function namesIn(document: Document, names: Names): Names {
  const { zones = [], methods = [] } = (document.shipping ?? {}) as { zones?: Named[]; methods?: Named[] };
  return new Map([...names, ...[...zones, ...methods].map(({ id, name }): [string, string] => [id, name])]);
}
interface Named {
  id: string;
  name: string;
}

function PartView({ value, above, level, context }: { value: object; above: readonly string[]; level: number; context: Context }) {
  const { values, table, parts } = partOf(value);
  const label = labelOf(above.at(-1) ?? '', context.names);
  return (
    <Stack gap="xs">
      {values.length > 0 && <Values leaves={values} above={above} context={context} label={label} />}
      {table !== null && <Entries rows={table} above={above} context={context} label={label} />}
      {parts.map((part) => (
        <Stack key={part.key} gap={4} mt="xs">
          <Title order={Math.min(level, 6) as TitleOrder} size="h5">
            {labelOf(part.key, context.names)}
          </Title>
          <PartView value={part.value} above={[...above, part.key]} level={level + 1} context={context} />
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

type Entry = NonNullable<ReturnType<typeof partOf>['table']>[number];

interface EntriesProps {
  rows: readonly Entry[];
  above: readonly string[];
  context: Context;
  label: string;
}

/** Entries that have the same fields, below each other; cards on a phone. */
function Entries({ rows, above, context, label }: EntriesProps) {
  const paths = [...new Map(rows.flatMap(({ leaves }) => leaves).map(({ path }) => [path.join('.'), path])).values()];
  const isNumbered = rows.every(({ key }, at) => key === String(at));
  const named: RowsColumn<Entry> = { heading: label, cell: ({ key }) => labelOf(key, context.names) };
  const columns = paths.map((path): RowsColumn<Entry> => ({
    heading: path.map((key) => labelOf(key, context.names)).join(', '),
    cell: ({ key, leaves }) => {
      const leaf = leaves.find((each) => each.path.join('.') === path.join('.'));
      return valueWords([...above, key, ...path], leaf?.value, context.currency, context.names);
    },
  }));
  return <Rows label={label} rows={rows} columns={isNumbered ? columns : [named, ...columns]} keyOf={({ key }) => key} empty="" />;
}
