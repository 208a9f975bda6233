import { callApiPage, type QueryOf, type Schema, studio } from '../../api/studio';
import { FilterBar } from '../../shared/filter-bar';
import { ClearableFilter, DayFilter, TextFilter } from '../../shared/inputs';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Screen } from '../../shared/layout';
import { NO_RESULTS, personName } from '../../shared/words';
import { useSearchParams } from '../../shared/search-params';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { Changes, ShortId, Subject } from './Entry';
import { ACTIONS, actionWords } from './words';

const FILTERS = ['actor', 'subject', 'action', 'from', 'to'] as const;

function Filters() {
  const [search, change] = useSearchParams();
  // A link can filter by an action that has no label yet.
  const actions = search.action === undefined || ACTIONS.includes(search.action) ? ACTIONS : [...ACTIONS, search.action];
  return (
    <FilterBar label="Filter entries" names={FILTERS}>
      <TextFilter label="Actor" placeholder="Name of a token" value={search.actor ?? ''} set={(actor) => change({ actor })} />
      <TextFilter label="Object" placeholder="P-10001, INV-10001, ID" value={search.subject ?? ''} set={(subject) => change({ subject })} />
      <ClearableFilter
        label="Action"
        any="Any action"
        searchable
        data={actions.map((action) => ({ value: action, label: actionWords(action) }))}
        value={search.action}
        set={(action) => change({ action })}
        nothingFoundMessage="No action found"
      />
      <DayFilter size="xs" label="From" value={search.from} set={(from) => change({ from })} />
      <DayFilter size="xs" label="To" value={search.to} set={(to) => change({ to })} />
    </FilterBar>
  );
}

type Row = Schema<'AuditEntry'>;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Time', cell: ({ at }) => <Time at={at} />, sort: 'newest' },
  {
    heading: 'Actor',
    cell: ({ actor: { name } }) => (
      <TextLink to="/audit" search={{ actor: name }} size="sm" title={`Filter by ${name}`}>
        {personName(name)}
      </TextLink>
    ),
  },
  { heading: 'Action', cell: ({ action }) => <span title={action}>{actionWords(action)}</span> },
  { heading: 'Object', cell: (row) => <Subject entry={row} /> },
  { heading: 'Changes', cell: (row) => <Changes entry={row} /> },
  { heading: 'Request', cell: ({ requestId }) => <ShortId id={requestId} /> },
];

function AuditList() {
  const [search, change] = useSearchParams();
  const { actor, subject, action, from, to, sort } = search;
  const filter = { actor, subject, action, from, to, sort } as QueryOf<'listAudit'>;
  const by = sort ?? 'newest';
  const list = useList<Row>(['audit', filter], (cursor) => callApiPage(studio.GET('/audit', { params: { query: { ...filter, cursor } } })));
  return (
    <ListTable
      label="Audit log"
      noun="entry"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => String(id)}
      empty={FILTERS.some((name) => search[name] !== undefined) ? NO_RESULTS : 'No entries yet'}
      sort={{ by, choose: () => change({ sort: by === 'newest' ? 'oldest' : undefined }) }}
      csv={`/studio/v1/audit.csv?${queryOf(filter)}`}
    />
  );
}

export function Audit() {
  return (
    <Screen title="Audit" minRole="admin" what="the audit log">
      <Filters />
      <AuditList />
    </Screen>
  );
}
