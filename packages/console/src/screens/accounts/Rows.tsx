import { Table } from '@mantine/core';

export interface Cells<Row> {
  heading: string;
  cell: (row: Row) => React.ReactNode;
  right?: boolean;
}

/** A short table of what is all there, as cards on a phone. */
export function Rows<Row>(props: { label: string; rows: readonly Row[]; columns: readonly Cells<Row>[]; keyOf: (row: Row) => string }) {
  const { label, rows, columns, keyOf } = props;
  return (
    <Table className="list" role="table" aria-label={label} verticalSpacing={4}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ heading, right }) => (
            <Table.Th key={heading} role="columnheader" className={right ? 'right' : undefined}>
              {heading}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)} role="row">
            {columns.map(({ heading, cell, right }) => (
              <Table.Td key={heading} role="cell" data-label={heading} className={right ? 'right' : undefined}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
