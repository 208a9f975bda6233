import { useNavigate } from '@tanstack/react-router';
import { page, studio, type Page } from '../../api/studio';
import type { Environment, Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
import { ListTable, queryOf, useList } from '../../shared/list';
import { Refused, Waiting } from '../../shared/told';
import { COLUMNS } from './columns';
import { useFilter, type Filter } from './filter';
import { sortBy } from './Filters';

type Row = Of<'Delivery'>;

/** The list of the address's filters. */
export function DeliveryList() {
  const { filter, error } = useFilter();
  if (error !== null) return <Refused error={error} />;
  return filter === undefined ? <Waiting what="Looking for the order" /> : <Listed filter={filter} />;
}

function Listed({ filter }: { filter: Filter }) {
  const [environment] = useEnvironment();
  const [, change] = useAddress();
  const navigate = useNavigate();
  const list = useList<Row>(['deliveries', filter, environment], (cursor) => pageOf(filter, environment, cursor));
  const by = filter.sort ?? 'newest';
  return (
    <ListTable
      label="Deliveries"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={emptyWords(filter)}
      sort={{ by, choose: (key) => change(sortBy(key === by && by === 'newest' ? 'oldest' : key)) }}
      csv={`/studio/v1/deliveries.csv?${queryOf({ ...filter })}`}
      open={({ id }) => void navigate({ to: '/deliveries/$delivery', params: { delivery: id } })}
    />
  );
}

const FULL = 25;
const READS = 10;

/** The API lists live and test deliveries together: it is read on until a page of those looked at is full. */
async function pageOf(filter: Filter, environment: Environment, from: string | undefined): Promise<Page<Row[]>> {
  const rows: Row[] = [];
  let cursor: string | null = from ?? null;
  for (let read = 0; read < READS; read++) {
    const next: Page<Row[]> = await page(
      studio.GET('/deliveries', { params: { query: { ...filter, limit: read === 0 ? FULL : 100, ...(cursor !== null && { cursor }) } } }),
    );
    rows.push(...next.rows.filter((row) => row.environment === environment));
    cursor = next.nextCursor;
    if (cursor === null || rows.length >= FULL) break;
  }
  return { rows, nextCursor: cursor };
}

function emptyWords({ state, sort: _sort, ...narrower }: Filter): string {
  if (Object.keys(narrower).length > 0) return 'Nothing fits these filters. Take one away to see more.';
  switch (state) {
    case 'failed':
      return 'Nothing has failed. What clients could not be told after every attempt stands here.';
    case 'held':
      return "Nothing is held. What happens while a client's endpoint is disabled stands here, until it is recovered.";
    case 'pending':
      return 'Nothing is on its way. What has not arrived yet and is tried again by itself stands here.';
    default:
      return 'Nothing yet. Whenever an order of a client with an endpoint changes, what was told stands here.';
  }
}
