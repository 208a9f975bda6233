import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { useMay } from '../../session/session';
import { type Search, useAddress } from '../../shared/address';
import { ClearableFilter, ClearFilters, DayFilter, Typed } from '../../shared/inputs';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { personName } from '../../shared/person';
import { useTitle } from '../../shared/title';
import { When } from '../../shared/when';
import { Changes, ShortId, Subject } from './Entry';
import { ACTIONS, actionWords } from './words';

const FILTERS = ['actor', 'subject', 'action', 'from', 'to'] as const;

function Filters() {
  const [search, change] = useAddress();
  const filtered = FILTERS.some((name) => search[name] !== undefined);
  // An action that has no words yet may come with a link.
  const actions = search.action === undefined || ACTIONS.includes(search.action) ? ACTIONS : [...ACTIONS, search.action];
  return (
    <Stack gap="xs" role="search" aria-label="Which entries">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="xs" verticalSpacing="xs">
        <Typed label="Who" placeholder="Name of a token" value={search.actor ?? ''} set={(actor) => change({ actor })} />
        <Typed
          label="To what"
          placeholder="P-10001, INV-10001, an id"
          value={search.subject ?? ''}
          set={(subject) => change({ subject })}
        />
        <ClearableFilter
          label="What was done"
          any="Anything"
          placeholder="Anything"
          searchable
          data={actions.map((action) => ({ value: action, label: actionWords(action) }))}
          value={search.action}
          set={(action) => change({ action })}
          nothingFoundMessage="Nothing is called so"
        />
        <DayFilter size="xs" label="From" value={search.from} set={(from) => change({ from })} />
        <DayFilter size="xs" label="To" value={search.to} set={(to) => change({ to })} />
      </SimpleGrid>
      {filtered && <ClearFilters names={FILTERS} change={change} />}
    </Stack>
  );
}

type Row = Of<'AuditEntry'>;
type Sort = 'newest' | 'oldest';

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'When', cell: ({ at }) => <When at={at} />, sort: 'newest' },
  { heading: 'Who', cell: (row) => <Who row={row} /> },
  { heading: 'What', cell: ({ action }) => <span title={action}>{actionWords(action)}</span> },
  { heading: 'To what', cell: (row) => <Subject entry={row} /> },
  { heading: 'What changed', cell: (row) => <Changes entry={row} /> },
  { heading: 'Request', cell: ({ requestId }) => <ShortId id={requestId} /> },
];

function AuditList() {
  const [search, change] = useAddress();
  const filter = filterOf(search);
  const by = filter.sort ?? 'newest';
  const list = useList<Row>(['audit', filter], (cursor) => page(studio.GET('/audit', { params: { query: { ...filter, cursor } } })));
  return (
    <ListTable
      label="Audit log"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => String(id)}
      empty={
        Object.keys(filter).length === 0
          ? 'Nothing yet. Whatever anybody changes stands here.'
          : 'Nothing fits these filters. Take one away to see more.'
      }
      sort={{ by, choose: () => change({ sort: by === 'newest' ? 'oldest' : undefined }) }}
      csv={`/studio/v1/audit.csv?${queryOf(filter)}`}
    />
  );
}

function filterOf({ actor, subject, action, from, to, sort }: Search): Record<string, string> & { sort?: Sort } {
  const set = Object.entries({ actor, subject, action, from, to, sort }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Record<string, string> & { sort?: Sort };
}

function Who({ row: { actor } }: { row: Row }) {
  return (
    <Anchor
      renderRoot={(props) => <Link to="/audit" search={{ actor: actor.name }} {...props} />}
      size="sm"
      title={`All that ${actor.name} did`}
    >
      {personName(actor.name)}
    </Anchor>
  );
}

export function Audit() {
  useTitle('Audit');
  const may = useMay('admin');
  return (
    <Stack>
      <Title order={1} size="h2">
        Audit
      </Title>
      {may ? (
        <>
          <Filters />
          <AuditList />
        </>
      ) : (
        <Text>Who did what is shown to admins. Ask one of them, or sign in with an admin's token.</Text>
      )}
    </Stack>
  );
}
