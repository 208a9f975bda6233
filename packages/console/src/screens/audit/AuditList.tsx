import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import type { Search } from '../../shared/address';
import { useAddress } from '../../shared/address';
import { ListTable, queryOf, useList, type Column } from '../../shared/list';
import { personName } from '../../shared/person';
import { When } from '../../shared/when';
import { ShortId } from './ShortId';
import { Changes } from './Changes';
import { Subject } from './Subject';
import { actionWords } from './words';

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

/** The list of the address's filters. */
export function AuditList() {
  const [search, change] = useAddress();
  const filter = filterOf(search);
  const by = filter.sort ?? 'newest';
  const list = useList<Row>(['audit', filter], (cursor) =>
    page(studio.GET('/audit', { params: { query: { ...filter, ...(cursor !== undefined && { cursor }) } } })),
  );
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

/** A link to all that the same one did. */
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
