import { Accordion, Stack, Table, Title, type TitleOrder } from '@mantine/core';
import { currencyOf, type Document } from './books';
import { partOf, type Leaf } from './parts';
import { labelOf, valueWords, type Names } from './words';

interface Context {
  currency: string;
  names: Names;
}

/** A book to read: every rate in words, part by part. */
export function BookParts({ document, names }: { document: Document; names: Names }) {
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

interface EntriesProps {
  rows: readonly { key: string; leaves: readonly Leaf[] }[];
  above: readonly string[];
  context: Context;
  label: string;
}

/** Entries that have the same fields, below each other; cards on a phone. */
function Entries({ rows, above, context, label }: EntriesProps) {
  const columns = [...new Map(rows.flatMap(({ leaves }) => leaves).map(({ path }) => [path.join('.'), path])).values()];
  const heading = (path: readonly string[]): string => path.map((key) => labelOf(key, context.names)).join(', ');
  const isNumbered = rows.every(({ key }, at) => key === String(at));
  return (
    <Table className="list" role="table" aria-label={label} verticalSpacing={4}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {!isNumbered && <Table.Th role="columnheader">{label}</Table.Th>}
          {columns.map((path) => (
            <Table.Th role="columnheader" key={path.join('.')}>
              {heading(path)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(({ key, leaves }) => (
          <Table.Tr key={key} role="row">
            {!isNumbered && (
              <Table.Td role="cell" data-label={label}>
                {labelOf(key, context.names)}
              </Table.Td>
            )}
            {columns.map((path) => {
              const leaf = leaves.find((each) => each.path.join('.') === path.join('.'));
              return (
                <Table.Td role="cell" key={path.join('.')} data-label={heading(path)}>
                  {valueWords([...above, key, ...path], leaf?.value, context.currency, context.names)}
                </Table.Td>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
