import { Table } from '@mantine/core';
import { Nothing } from './told';

export interface RowsColumn<Row> {
  heading: string;
  cell: (row: Row) => React.ReactNode;
  right?: boolean;
}

interface RowsProps<Row> {
  /** What it lists, for those who do not see it. */
  label: string;
  rows: readonly Row[];
  columns: readonly RowsColumn<Row>[];
  keyOf: (row: Row) => string;
  /** What stands there when there is nothing. */
  empty: React.ReactNode;
}

/** A table of what is there already: as cards on a phone, like every list. What the API pages is a ListTable. */
export function Rows<Row>({ label, rows, columns, keyOf, empty }: RowsProps<Row>) {
  if (rows.length === 0) return <Nothing>{empty}</Nothing>;
  return (
    <div className="list-room">
      <Table className="list" role="table" aria-label={label} verticalSpacing={6}>
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
              <Cells of={row} columns={columns} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** What stands in a row of any list, each cell with its heading, which is shown where rows are cards. */
export function Cells<Row>({ of: row, columns }: { of: Row; columns: readonly RowsColumn<Row>[] }) {
  return columns.map(({ heading, cell, right }) => (
    <Table.Td key={heading} role="cell" data-label={heading} className={right ? 'right' : undefined}>
      {cell(row)}
    </Table.Td>
  ));
}
