import { Text } from '@mantine/core';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { ListTable, useList, type Column } from '../../shared/list';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { MintToken } from './MintToken';
import { Part } from './Part';
import { RevokeToken } from './RevokeToken';

type Token = Of<'Token'>;

const COLUMNS: readonly Column<Token>[] = [
  { heading: 'Name', cell: ({ name }) => name },
  { heading: 'Role', cell: ({ role }) => wordsOf(role) },
  { heading: 'State', cell: (token) => <State token={token} /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <When at={lastUsedAt} />) },
  { heading: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'What to do', cell: (token) => (token.revokedAt === null ? <RevokeToken token={token} /> : ''), right: true },
];

/** Who and what may use the studio API. */
export function Tokens() {
  const list = useList(['tokens'], (cursor) => page(studio.GET('/tokens', { params: { query: { cursor } } })));
  return (
    <Part title="Tokens">
      <Text size="sm">
        Whoever signs in, and every program of the studio, does it with a token. Its name stands in timelines and in the audit log.
      </Text>
      <div>
        <MintToken />
      </div>
      <ListTable<Token>
        label="Tokens"
        list={list}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty="There is no token yet but the one the service was started with."
      />
    </Part>
  );
}

function State({ token: { revokedAt, expiresAt } }: { token: Token }) {
  if (revokedAt !== null)
    return (
      <>
        revoked <When at={revokedAt} />
      </>
    );
  if (expiresAt === null) return <>works, without an end</>;
  return (
    <>
      {isPast(expiresAt) ? 'expired' : 'works until'} <When at={expiresAt} />
    </>
  );
}

const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
