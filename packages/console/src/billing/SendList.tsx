import { callApiPage, type QueryOf, type Schema, studio } from '../api/studio';
import { type Column, ListTable, useList } from '../shared/list';
import { AccountLink } from '../shared/orders';
import { StatusBadge } from '../shared/status';
import { Time } from '../shared/time';
import { statusLabel } from '../shared/words';

type Row = Schema<'Send'>;

/** Mails with documents, the newest first. */
export function SendList({ filter, empty }: { filter: QueryOf<'listSends'>; empty: string }) {
  const list = useList<Row>(['sends', filter], (cursor) => callApiPage(studio.GET('/sends', { params: { query: { ...filter, cursor } } })));
  return (
    <ListTable
      label="Sent documents"
      noun="mail"
      list={list}
      columns={filter.accountId === undefined ? COLUMNS : COLUMNS.filter(({ heading }) => heading !== 'Account')}
      keyOf={({ id }) => id}
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    heading: 'Document',
    cell: ({ document, documentNumber }) => (
      <b>{document === 'reminder' ? statusLabel(document) : (documentNumber ?? statusLabel(document))}</b>
    ),
  },
  { heading: 'Account', wrap: true, cell: ({ accountId, accountName }) => <AccountLink id={accountId} name={accountName} /> },
  { heading: 'To', wrap: true, cell: ({ recipient }) => recipient },
  { heading: 'Subject', wrap: true, cell: ({ subject }) => subject },
  { heading: 'Status', cell: ({ state }) => <StatusBadge of={state} /> },
  { heading: 'Reason', wrap: true, cell: ({ failure }) => failure },
  { heading: 'Sent by', wrap: true, cell: ({ actor }) => actor },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];
