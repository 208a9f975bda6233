import { Table } from '@mantine/core';

/** What is known of something, a line each. */
export function Facts({ facts }: { facts: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <Table verticalSpacing={4} withRowBorders={false}>
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} pl={0} w="9rem">
              {name}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
