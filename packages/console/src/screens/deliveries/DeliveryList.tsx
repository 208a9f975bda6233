import { useNavigate } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
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
  const asked = { ...filter, environment };
  const list = useList<Row>(['deliveries', filter, environment], (cursor) =>
    page(studio.GET('/deliveries', { params: { query: { ...asked, ...(cursor !== undefined && { cursor }) } } })),
  );
  const by = filter.sort ?? 'newest';
  return (
    <ListTable
      label="Deliveries"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={emptyWords(filter)}
      sort={{ by, choose: (key) => change(sortBy(key === by && by === 'newest' ? 'oldest' : key)) }}
      csv={`/studio/v1/deliveries.csv?${queryOf(asked)}`}
      open={({ id }) => void navigate({ to: '/deliveries/$delivery', params: { delivery: id } })}
    />
  );
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
