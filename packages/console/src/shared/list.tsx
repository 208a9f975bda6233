import {
  ActionIcon,
  Anchor,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Paper,
  Table,
  type TableProps,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { IconArrowDown, IconSelector, IconX } from '@tabler/icons-react';
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import {
  type Cell,
  type OnChangeFn,
  type ReactTable,
  type Row as TableRow,
  type RowData,
  rowSelectionFeature,
  type RowSelectionState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { Page } from '../api/studio';
import { formatCount } from './counts';
import { EmptyState, ErrorAlert, Loading } from './feedback';
import { useSearchParams } from './search-params';
import { useShortcuts } from './shortcuts';
import { statusLabel } from './words';

export interface RowsColumn<Row> {
  heading: string;
  cell: (row: Row) => React.ReactNode;
  right?: boolean;
  /** Share of the table's width, such as `30%`. Longer text is cut off unless it wraps. */
  width?: string;
  /** Long text wraps instead of being cut off. */
  wrap?: boolean;
  /** Place in a phone's card. Default: `title` for the first column, `detail` for others. `plain` is a detail without its heading. */
  card?: 'title' | 'aside' | 'detail' | 'plain' | 'hidden';
}

export interface Column<Row> extends RowsColumn<Row> {
  /** The API's sort key. */
  sort?: string;
  /** The sort in words, such as `Newest first`. */
  sorted?: string;
}

const features = tableFeatures({ rowSelectionFeature, columnMeta: {} as Omit<Column<never>, 'cell' | 'heading'> });
type Features = typeof features;

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly RowsColumn<Row>[];
  keyOf: (row: Row) => string;
  empty: React.ReactNode;
}

/** A table of rows that are already loaded. */
export function StaticTable<Row extends RowData>({ label, empty, ...props }: RowsProps<Row>) {
  const table = useRows(props);
  return props.rows.length === 0 ? <EmptyState>{empty}</EmptyState> : <DataTable label={label} table={table} />;
}

function useRows<Row extends RowData>(
  { rows, columns, keyOf }: Pick<RowsProps<Row>, 'rows' | 'columns' | 'keyOf'>,
  selection?: Selection<Row>,
): ReactTable<Features, Row> {
  return useTable<Features, Row>({
    features,
    data: rows as Row[],
    columns: columns.map(({ heading, cell, ...meta }, index) => ({
      id: `${index}`,
      header: heading,
      cell: ({ row }) => cell(row.original),
      meta: { card: index === 0 ? 'title' : 'detail', ...meta },
    })),
    getRowId: keyOf,
    enableRowSelection: selection !== undefined,
    state: { rowSelection: selection?.selected ?? {} },
    ...(selection === undefined ? {} : { onRowSelectionChange: selection.change }),
  });
}

interface DataTableProps<Row extends RowData> extends TableProps {
  ref?: React.Ref<HTMLTableElement>;
  label: string;
  table: ReactTable<Features, Row>;
  /** Names a row for its checkbox. Without it, the table has no checkboxes. */
  nameOf?: ((row: Row) => string) | undefined;
  range?: VirtualRange | undefined;
  rowProps?: (index: number) => object;
}

/** The rows in the window, and the height of the rows before and after them. */
interface VirtualRange {
  /** Measures the height of a row, because long names wrap. */
  measure: (row: Element | null) => void;
  indexes: readonly number[];
  beforePx: number;
  afterPx: number;
}

function DataTable<Row extends RowData>({ label, table, nameOf, range, rowProps, ...props }: DataTableProps<Row>) {
  const { rows } = table.getRowModel();
  const shown = range === undefined ? rows : range.indexes.flatMap((index) => rows[index] ?? []);
  return (
    <div className="list-scroll">
      <Table
        className="list"
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        data-selectable={nameOf !== undefined}
        verticalSpacing={2}
        onMouseOver={showCutOffText}
        {...props}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {nameOf !== undefined && (
              <Table.Th role="columnheader" w={36}>
                <Checkbox
                  size="xs"
                  aria-label={`Select all ${rows.length}`}
                  checked={table.getIsAllRowsSelected()}
                  indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </Table.Th>
            )}
            {table.getFlatHeaders().map(({ id, column: { columnDef } }) => (
              <Heading key={id} heading={String(columnDef.header)} column={columnDef.meta ?? {}} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Spacer heightPx={range?.beforePx} />
        <Table.Tbody role="rowgroup">
          {shown.map((row) => (
            <Table.Tr
              key={row.id}
              ref={range?.measure}
              role="row"
              aria-rowindex={row.index + 2}
              data-index={row.index}
              {...rowProps?.(row.index)}
            >
              {nameOf !== undefined && <SelectCell row={row} name={nameOf(row.original)} />}
              {row.getAllCells().map((cell) => {
                const { right, width, wrap, card } = cell.column.columnDef.meta ?? {};
                return (
                  <Table.Td
                    key={cell.id}
                    role="cell"
                    data-label={cell.column.columnDef.header}
                    data-card={card}
                    data-wrap={wrap}
                    ta={right ? 'right' : undefined}
                    data-share={width !== undefined}
                  >
                    {renderCell(cell)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Spacer heightPx={range?.afterPx} />
      </Table>
    </div>
  );
}

/** Calls the function of the cell. FlexRender would remount the cell on each render, and close a dialog in it. */
function renderCell<Row extends RowData>(cell: Cell<Features, Row, unknown>): React.ReactNode {
  const render = cell.column.columnDef.cell;
  return typeof render === 'function' ? (render(cell.getContext()) as React.ReactNode) : render;
}

function SelectCell<Row extends RowData>({ row, name }: { row: TableRow<Features, Row>; name: string }) {
  return (
    <Table.Td role="cell" data-card="select">
      <Checkbox size="xs" aria-label={`Select ${name}`} checked={row.getIsSelected()} onChange={row.getToggleSelectedHandler()} />
    </Table.Td>
  );
}

/** Stands for the rows outside the window. */
function Spacer({ heightPx = 0 }: { heightPx: number | undefined }) {
  return (
    heightPx > 0 && (
      <tbody aria-hidden>
        <tr style={{ height: heightPx }} />
      </tbody>
    )
  );
}

/** A cell that is cut off shows its text as a tooltip. */
function showCutOffText({ target }: React.MouseEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell === null) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
  else cell.removeAttribute('title');
}

/** Empty pages that are skipped without asking. */
const MAX_EMPTY_PAGES = 20;

/**
 * Pages of an API list. `key` begins with the noun of the live events (live/live.tsx). With `keepsRows` the old rows stay while others
 * load, if the second part of the key, such as the environment, is the same.
 */
export function useList<Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Page<Row[]>>,
  { keepsRows = false } = {},
) {
  return useInfiniteQuery<Page<Row[]>, Error, InfiniteData<Page<Row[]>>, readonly unknown[], string | undefined>({
    placeholderData: (previous, of) => (keepsRows && of?.queryKey[2] === key[1] ? previous : undefined),
    queryKey: [key[0], 'list', ...key.slice(1)],
    queryFn: async ({ pageParam }) => {
      let page = await read(pageParam);
      for (let empty = 1; page.rows.length === 0 && page.nextCursor !== null && empty < MAX_EMPTY_PAGES; empty += 1) {
        page = await read(page.nextCursor);
      }
      return page;
    },
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Rows that can be selected. Its state belongs to the caller, by row key. */
export interface Selection<Row> {
  selected: RowSelectionState;
  change: OnChangeFn<RowSelectionState>;
  nameOf: (row: Row) => string;
  actions: (rows: readonly Row[]) => React.ReactNode;
}

interface ListProps<Row extends RowData> {
  label: string;
  list: ReturnType<typeof useList<Row>>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  empty: React.ReactNode;
  csv?: string;
  /** `j` and `k` move. `enter`, or a touch on a phone's card, opens the first link of a row. */
  opens?: boolean;
  /** One row in words, for the footer: `order`. */
  noun: string;
  /** Number of rows on all pages, if it is known. */
  total?: number | undefined;
  selection?: Selection<Row>;
}

/** A table of an API list: pages, sort keys, selection, CSV and keyboard. On a phone, each row is a card. */
export function ListTable<Row extends RowData>(props: ListProps<Row>) {
  const { label, list, columns, keyOf, empty, csv, opens = false, noun, total, selection } = props;
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const element = useRef<HTMLTableElement>(null);
  const table = useRows({ rows, columns, keyOf }, selection);
  const { range, scrollTo } = useVirtualRows(rows.length, element);
  const openRow = (index: number): void => element.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.click();
  const current = useCurrentRow(table, scrollTo, opens ? openRow : undefined);
  if (list.isPending) return <Loading what="Loading" />;
  if (list.error !== null && rows.length === 0) return <ErrorAlert error={list.error} retry={() => void list.refetch()} />;
  if (rows.length === 0 && !list.hasNextPage) return <EmptyState>{empty}</EmptyState>;
  return (
    <>
      <SortSelect columns={columns} />
      <DataTable
        ref={element}
        label={label}
        table={table}
        nameOf={selection?.nameOf}
        range={range}
        rowProps={(index) => ({ 'data-chosen': index === current, 'data-opens': opens })}
        aria-busy={list.isPlaceholderData}
        highlightOnHover
        highlightOnHoverColor="light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))"
      />
      <ErrorAlert error={list.error} retry={() => void list.refetch()} />
      {selection !== undefined && <SelectionBar table={table} selection={selection} />}
      <Group justify="space-between" mt="xs">
        <Group gap="sm">
          <span role="status">{rowCount(rows.length, noun, list.hasNextPage ? (total ?? 'more') : undefined)}</span>
          <ShowMore list={list} />
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

/** `31 orders`, `50 of 1,001 orders` or `First 50 orders`. */
function rowCount(count: number, noun: string, of: number | 'more' | undefined): string {
  const total = of === 'more' ? undefined : of;
  const nouns = (total ?? count) === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, '$1ies');
  const counted = `${count.toLocaleString('en-AU')}${total === undefined ? '' : ` of ${formatCount(total)}`} ${nouns}`;
  return of === 'more' ? `First ${counted}` : counted;
}

function SelectionBar<Row extends RowData>({ table, selection }: { table: ReactTable<Features, Row>; selection: Selection<Row> }) {
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original);
  if (selected.length === 0) return null;
  return (
    <Paper className="selection-bar" withBorder shadow="md" p="xs" role="region" aria-label="Selected rows">
      <Group gap="sm">
        <Text size="sm" fw={600} role="status">
          {selected.length} selected
        </Text>
        {!table.getIsAllRowsSelected() && (
          <Button size="compact-sm" variant="subtle" onClick={() => table.toggleAllRowsSelected()}>
            Select all {table.getRowModel().rows.length}
          </Button>
        )}
        {selection.actions(selected)}
        <ActionIcon variant="subtle" aria-label="Clear selection" title="Clear selection" onClick={() => selection.change({})}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </Paper>
  );
}

/** Lists up to this length are drawn as a whole. */
const MAX_DRAWN = 100;
const ROW_PX = 40;

/** Draws only the rows near the window if the list is long. */
function useVirtualRows(count: number, table: React.RefObject<HTMLTableElement | null>) {
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: count > MAX_DRAWN,
    estimateSize: () => ROW_PX,
    overscan: 20,
    scrollMargin: (table.current?.getBoundingClientRect().top ?? 0) + window.scrollY,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const range: VirtualRange | undefined =
    first === undefined || last === undefined
      ? undefined
      : {
          measure: virtualizer.measureElement,
          indexes: items.map(({ index }) => index),
          beforePx: first.start - virtualizer.options.scrollMargin,
          afterPx: virtualizer.getTotalSize() - (last.end - virtualizer.options.scrollMargin),
        };
  const scrollTo = (index: number): void => {
    const row = table.current?.querySelector(`[data-index="${index}"]`);
    if (row) row.scrollIntoView({ block: 'nearest' });
    else virtualizer.scrollToIndex(index);
  };
  return { range, scrollTo };
}

export function ShowMore({ list }: { list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'> }) {
  if (!list.hasNextPage) return null;
  return (
    <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  );
}

/** The sort key in the page's address. Choosing the current key again lists the newest first, or the oldest if it was `newest`. */
function useSort(): [string, (key: string) => void] {
  const [{ sort: current = 'newest' }, change] = useSearchParams();
  const choose = (key: string): void => {
    const next = key !== current ? key : key === 'newest' ? 'oldest' : 'newest';
    change({ sort: next === 'newest' ? undefined : next });
  };
  return [current, choose];
}

function SortSelect<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  const [by, choose] = useSort();
  const keys = columns.flatMap(({ heading, sort: value, sorted }) => (value === undefined ? [] : [{ value, label: sorted ?? heading }]));
  if (keys.length < 2) return null;
  const isListed = keys.some(({ value }) => value === by);
  return (
    <NativeSelect
      label="Sort by"
      hiddenFrom="md"
      data={isListed ? keys : [...keys, { value: by, label: statusLabel(by) }]}
      value={by}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

function Heading({ heading, column: { sort, right, width } }: { heading: string; column: Omit<Column<never>, 'cell' | 'heading'> }) {
  const [by, choose] = useSort();
  const isSorted = sort === by;
  return (
    <Table.Th
      role="columnheader"
      ta={right ? 'right' : undefined}
      w={width}
      aria-sort={sort === undefined ? undefined : isSorted ? 'other' : 'none'}
    >
      {sort === undefined ? (
        heading
      ) : (
        <UnstyledButton onClick={() => choose(sort)} fw={700} fz="sm" title={`Sort by ${heading.toLowerCase()}`}>
          {heading} {isSorted ? <IconArrowDown size={12} aria-hidden /> : <IconSelector size={12} aria-hidden />}
        </UnstyledButton>
      )}
    </Table.Th>
  );
}

/** The row that the keyboard is at: `j` and `k` move, `x` selects, `enter` opens. It stays when rows arrive above it. @returns its index or -1 */
function useCurrentRow<Row extends RowData>(
  table: ReactTable<Features, Row>,
  scrollTo: (index: number) => void,
  open: ((index: number) => void) | undefined,
): number {
  const [id, setId] = useState<string | null>(null);
  const { rows } = table.getRowModel();
  const current = rows.findIndex((row) => row.id === id);
  const move = (by: number) => (): void => {
    const next = Math.min(Math.max(current + by, 0), rows.length - 1);
    setId(rows[next]?.id ?? null);
    scrollTo(next);
  };
  const enter = (event: KeyboardEvent): void => {
    // A focused control handles Enter itself.
    if (event.target instanceof HTMLElement && event.target.closest('a, button, summary') !== null) return;
    open?.(current);
  };
  const select = (): void => {
    if (rows[current]?.getCanSelect()) rows[current].toggleSelected();
  };
  useShortcuts(
    open === undefined
      ? []
      : [
          ['j', move(1)],
          ['k', move(-1)],
          ['x', select],
          ['enter', enter, { preventDefault: false }],
        ],
  );
  return current;
}

export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}
