import { Badge, Text } from '@mantine/core';
import { callApi, callApiPage, type Schema, studio } from '../../api/studio';
import { Action } from '../../shared/action';
import { ListTable, useList, type Column } from '../../shared/list';
import { Screen } from '../../shared/layout';
import { Time } from '../../shared/time';
import { browserName } from './browser';

type Session = Schema<'OwnSession'>;

const COLUMNS: readonly Column<Session>[] = [
  { heading: 'Browser', cell: ({ userAgent }) => <span title={userAgent ?? undefined}>{browserName(userAgent)}</span> },
  { heading: 'IP address', cell: ({ source }) => <span className="mono">{source}</span> },
  { heading: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Last used', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { heading: 'Ends', cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />) },
  { heading: '', cell: (session) => <End session={session} />, right: true },
];

/** The browsers that are signed in with the person's token. */
export function Sessions() {
  const list = useList<Session>(['sessions'], (cursor) => callApiPage(studio.GET('/sessions', { params: { query: { cursor } } })));
  return (
    <Screen title="Your sessions">
      <Text size="sm">
        Browsers that are signed in with your token. If you do not recognize one, end it and ask an admin to revoke your token.
      </Text>
      <ListTable label="Your sessions" noun="session" list={list} columns={COLUMNS} keyOf={({ id }) => id} empty="No open sessions" />
    </Screen>
  );
}

function End({ session: { id, isCurrent, userAgent, source } }: { session: Session }) {
  if (isCurrent)
    return (
      <Badge variant="outline" color="gray" tt="none">
        This browser
      </Badge>
    );
  const name = `${browserName(userAgent)} at ${source}`;
  return (
    <Action
      label="End"
      target={name}
      title={`End the session of ${name}`}
      consequences={['That browser must sign in again. Its unsaved changes are lost.']}
      retry="safe"
      run={() => callApi(studio.DELETE('/sessions/{id}', { params: { path: { id } } }))}
      toast={() => 'Session ended'}
      danger
    />
  );
}
