import { callApiPage, type QueryOf, type Schema, studio } from '../../api/studio';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter, useIsFiltered } from '../../shared/filter-bar';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Screen } from '../../shared/layout';
import { NO_RESULTS, personName } from '../../shared/words';
import { useSearchParams } from '../../shared/search-params';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { Changes, ShortId, Subject } from './Entry';
import { ACTIONS, actionWords } from './words';

function Filters() {
  return (
    <FilterBar label="Filter entries">
      <TextFilter name="actor" label="Actor" placeholder="Name of a token" />
      <TextFilter name="subject" label="Object" placeholder="P-10001, INV-10001, ID" />
      <ChoiceFilter name="action" label="Action" data={ACTIONS.map((action) => ({ value: action, label: actionWords(action) }))} />
      <DayFilter name="from" label="From" />
      <DayFilter name="to" label="To" />
    </FilterBar>
  );
}

type Row = Schema<'AuditEntry'>;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Time', cell: ({ at }) => <Time at={at} />, sort: 'newest' },
  {
    heading: 'Actor',
    wrap: true,
    cell: ({ actor: { name } }) => (
      <TextLink to="/audit" search={{ actor: name }} size="sm" title={`Filter by ${name}`}>
        {personName(name)}
      </TextLink>
    ),
  },
  { heading: 'Action', wrap: true, cell: ({ action }) => <span title={action}>{actionWords(action)}</span> },
  { heading: 'Object', wrap: true, cell: (row) => <Subject entry={row} /> },
  { heading: 'Changes', cell: (row) => <Changes entry={row} /> },
  { heading: 'Request', cell: ({ requestId }) => <ShortId id={requestId} /> },
];

function AuditList() {
  const [search] = useSearchParams();
  const query = search as QueryOf<'listAudit'>;
  const list = useList<Row>(['audit', query], (cursor) => callApiPage(studio.GET('/audit', { params: { query: { ...query, cursor } } })));
  return (
    <ListTable
      label="Audit log"
      noun="entry"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => String(id)}
      empty={useIsFiltered() ? NO_RESULTS : 'No entries yet'}
      csv={`/studio/v1/audit.csv?${queryOf(search)}`}
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
