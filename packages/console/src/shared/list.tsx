import { Anchor, Button, Group, NativeSelect, Table, type TableProps, UnstyledButton } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Page } from '../api/studio';
import { useKeys } from './keys';
import { wordsOf } from './status';
import { Nothing, Refused, Waiting } from './told';

export interface RowsColumn<Row> {
  heading: string;
  cell: (row: Row) => React.ReactNode;
  right?: boolean;
}

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly RowsColumn<Row>[];
  keyOf: (row: Row) => string;
  empty: React.ReactNode;
}

/** A table of what is there already: as cards on a phone, like every list. What the API pages is a ListTable. */
export function Rows<Row>({ label, rows, columns, keyOf, empty }: RowsProps<Row>) {
  if (rows.length === 0) return <Nothing>{empty}</Nothing>;
  return (
    <TableOf label={label} columns={columns}>
      {rows.map((row) => (
        <Table.Tr key={keyOf(row)} role="row">
          <Cells of={row} columns={columns} />
        </Table.Tr>
      ))}
    </TableOf>
  );
}

interface TableOfProps<Row> extends TableProps, Pick<ListProps<Row>, 'label' | 'columns' | 'sort'> {
  ref?: React.Ref<HTMLTableElement>;
}

function TableOf<Row>({ label, columns, sort, children, ...props }: TableOfProps<Row>) {
  return (
    <div className="list-room">
      <Table className="list" role="table" aria-label={label} verticalSpacing={6} {...props}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <Heading key={column.heading} column={column} sort={sort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">{children}</Table.Tbody>
      </Table>
    </div>
  );
}

function Cells<Row>({ of: row, columns }: { of: Row; columns: readonly RowsColumn<Row>[] }) {
  return columns.map(({ heading, cell, right }) => (
    <Table.Td key={heading} role="cell" data-label={heading} ta={right ? 'right' : undefined}>
      {cell(row)}
    </Table.Td>
  ));
}

/** Pages of which no row is shown that are read on by themselves; beyond, whoever looks says whether to go on. */
const MAX_EMPTY_PAGES = 20;

/** Reads on while a list has shown nothing and has more: a page may be empty that is not the last. @returns whether it is reading on */
function useReadingOn(list: UseInfiniteQueryResult<{ pages: unknown[] }>, isEmpty: boolean): boolean {
  const { hasNextPage, isFetching, isFetchingNextPage, error, fetchNextPage, data } = list;
  const mayGoOn = isEmpty && hasNextPage && error === null && (data?.pages.length ?? 0) < MAX_EMPTY_PAGES;
  const goesOn = mayGoOn && !isFetching;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return mayGoOn || (isEmpty && isFetchingNextPage);
}

function NoneYet({ readOn }: { readOn: () => void }) {
  return (
    <Nothing>
      Nothing so far, and there is more to look through.{' '}
      <Button size="xs" variant="default" onClick={readOn}>
        Show more
      </Button>
    </Nothing>
  );
}

/**
 * A list of the API, page by page. `key` begins with the noun that live events name (live/live.tsx). With `keepsRows` the rows stay while
 * others are read, where the word after the noun is the same, such as the environment.
 */
export function useList<Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Page<Row[]>>,
  { keepsRows = false } = {},
) {
  return useInfiniteQuery<Page<Row[]>, Error, InfiniteData<Page<Row[]>>, readonly unknown[], string | undefined>({
    placeholderData: (previous, of) => (keepsRows && of?.queryKey[2] === key[1] ? previous : undefined),
    queryKey: [key[0], 'list', ...key.slice(1)],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

export interface Column<Row> extends RowsColumn<Row> {
  /** The key by which the API sorts by it, in the one direction it has. */
  sort?: string;
  sorted?: string;
}

interface ListProps<Row> {
  label: string;
  list: ReturnType<typeof useList<Row>>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  empty: React.ReactNode;
  sort?: Sort;
  csv?: string;
  /** `j` and `k` move, `enter` opens; on a phone a card is opened by a touch anywhere on it. */
  open?: (row: Row) => void;
}

/** A table of a list: pages, the API's sort keys, CSV, by keyboard, as cards where there is little room. */
export function ListTable<Row>({ label, list, columns, keyOf, empty, sort, csv, open }: ListProps<Row>) {
  const rows = list.data?.pages.flatMap((each) => each.rows) ?? [];
  const table = useRef<HTMLTableElement>(null);
  const chosen = useChosen(rows, keyOf, table, open);
  const isReadingOn = useReadingOn(list, rows.length === 0);
  if (list.isPending) return <Waiting what="Reading" />;
  if (list.error !== null && rows.length === 0) return <Refused error={list.error} retry={() => void list.refetch()} />;
  if (rows.length === 0 && isReadingOn) return <Waiting what="Reading on" />;
  if (rows.length === 0 && !list.hasNextPage) return <Nothing>{empty}</Nothing>;
  if (rows.length === 0) return <NoneYet readOn={() => void list.fetchNextPage()} />;
  return (
    <>
      {sort !== undefined && <OrderOfRows columns={columns} sort={sort} />}
      <TableOf
        ref={table}
        label={label}
        columns={columns}
        sort={sort}
        aria-busy={list.isPlaceholderData}
        highlightOnHover
        highlightOnHoverColor="light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))"
      >
        {rows.map((row, at) => (
          <Table.Tr key={keyOf(row)} role="row" data-chosen={at === chosen} {...touched(open, row)}>
            <Cells of={row} columns={columns} />
          </Table.Tr>
        ))}
      </TableOf>
      <Refused error={list.error} retry={() => void list.refetch()} />
      <Group justify="space-between" mt="xs">
        <Group gap="sm">
          <span role="status">{list.hasNextPage ? `${rows.length} shown, and there are more` : `${rows.length} shown, which is all`}</span>
          <More list={list} />
        </Group>
        {csv !== undefined && (
          <Anchor href={csv} download size="sm">
            Export CSV
          </Anchor>
        )}
      </Group>
    </>
  );
}

export function More({ list }: { list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'> }) {
  if (!list.hasNextPage) return null;
  return (
    <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  );
}

interface Sort {
  by: string;
  choose: (key: string) => void;
}

function OrderOfRows<Row>({ columns, sort: { by, choose } }: { columns: readonly Column<Row>[]; sort: Sort }) {
  const keys = columns.flatMap(({ heading, sort: value, sorted }) => (value === undefined ? [] : [{ value, label: sorted ?? heading }]));
  if (keys.length < 2) return null;
  const isAmong = keys.some(({ value }) => value === by);
  return (
    <NativeSelect
      label="Order of rows"
      hiddenFrom="md"
      data={isAmong ? keys : [...keys, { value: by, label: wordsOf(by) }]}
      value={by}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** As console.css makes cards of rows. */
const ARE_CARDS = '(max-width: 62em)';
const DOES_SOMETHING = 'a, button, summary, input, select, textarea, label';

/** A card is opened by what lies beside its links and buttons; those who go by keyboard have its link. */
function touched<Row>(open: ((row: Row) => void) | undefined, row: Row) {
  if (open === undefined) return {};
  return {
    'data-opens': true,
    onClick: ({ target, currentTarget }: React.MouseEvent): void => {
      if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(DOES_SOMETHING) !== null) return;
      if (window.matchMedia(ARE_CARDS).matches && window.getSelection()?.isCollapsed !== false) open(row);
    },
  };
}

function Heading<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
  const { heading, sort: key, right } = column;
  const align = right ? 'right' : undefined;
  if (sort === undefined || key === undefined)
    return (
      <Table.Th role="columnheader" ta={align}>
        {heading}
      </Table.Th>
    );
  const isSorted = key === sort.by;
  return (
    <Table.Th role="columnheader" ta={align} aria-sort={isSorted ? 'other' : 'none'}>
      <UnstyledButton onClick={() => sort.choose(key)} fw={700} fz="sm" title={`Sort by ${heading.toLowerCase()}`}>
        {heading} {isSorted ? '▾' : '⇅'}
      </UnstyledButton>
    </Table.Th>
  );
}

/** Which row the keyboard is at; none until somebody presses `j`. It stays at its row when others come above it. */
function useChosen<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  table: React.RefObject<HTMLTableElement | null>,
  open: ((row: Row) => void) | undefined,
): number {
  const [key, choose] = useState<string | null>(null);
  const chosen = key === null ? -1 : rows.findIndex((row) => keyOf(row) === key);
  const move = (by: number) => (): void => {
    const next = Math.min(Math.max(chosen + by, 0), rows.length - 1);
    const row = rows[next];
    if (row !== undefined) choose(keyOf(row));
    table.current?.querySelectorAll('tbody tr')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const enter = (event: KeyboardEvent): void => {
    const row = rows[chosen];
    if (row === undefined || open === undefined) return;
    // What has the focus itself does what enter does there.
    if (event.target instanceof HTMLElement && event.target.closest('a, button, summary, [role="dialog"]') !== null) return;
    open(row);
  };
  useKeys(
    open === undefined
      ? []
      : [
          ['j', move(1)],
          ['k', move(-1)],
          ['enter', enter, { preventDefault: false }],
        ],
  );
  return chosen;
}

export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}
