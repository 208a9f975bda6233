import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { page, studio } from '../../../api/studio';
import type { Of } from '../../../api/types';
import { Action } from '../../../shared/action';
import { ask } from '../../../api/studio';
import { ListTable, useList, type Column } from '../../../shared/list';
import { When } from '../../../shared/when';
import type { Account } from '../draft';
import { MintKey } from './MintKey';
import { SCOPES } from './scopes';

type Key = Of<'ApiKey'>;

/** The keys by which an account's own programs are known. For admins. */
export function Keys({ account }: { account: Account }) {
  const { id } = account;
  const list = useList<Key>(['keys', id], (cursor) =>
    page(studio.GET('/accounts/{id}/keys', { params: { path: { id }, query: { cursor } } })),
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Keys, live and test
        </Title>
        <MintKey account={account} />
      </Group>
      <Text size="sm">
        With a key, a program of theirs asks for prices and places orders. The text of a key is shown once, when it is made.
      </Text>
      <ListTable
        label="Keys"
        list={list}
        columns={COLUMNS}
        keyOf={(key) => key.id}
        empty="There is no key yet, so nothing of theirs can order. “Make a key” comes first: a test key to try it with."
      />
    </Stack>
  );
}

const COLUMNS: readonly Column<Key>[] = [
  { heading: 'Name', cell: ({ name }) => name ?? 'without a name' },
  {
    heading: 'For',
    cell: ({ environment }) => (
      <Badge variant="outline" color="gray" tt="none">
        {environment === 'live' ? 'Live orders' : 'Test orders'}
      </Badge>
    ),
  },
  { heading: 'Key', cell: ({ prefix, lastFour }) => <span className="mono">{`${prefix}…${lastFour}`}</span> },
  { heading: 'May', cell: ({ scopes }) => scopes.map((scope) => SCOPES[scope].short).join(', ') },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <When at={lastUsedAt} />) },
  { heading: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'State', cell: (key) => <State of={key} /> },
  { heading: '', cell: (key) => <Revoke of={key} /> },
];

function State({ of: { revokedAt, expiresAt } }: { of: Key }) {
  if (revokedAt !== null)
    return (
      <>
        Revoked <When at={revokedAt} />
      </>
    );
  if (expiresAt === null) return <>Works</>;
  return (
    <>
      {isPast(expiresAt) ? 'Expired' : 'Works until'} <When at={expiresAt} />
    </>
  );
}

function Revoke({ of: key }: { of: Key }) {
  if (key.revokedAt !== null) return null;
  const { id: keyId, accountId: id } = key;
  const what = key.environment === 'live' ? 'new live orders stop' : 'their trying out stops';
  return (
    <Action
      label="Revoke"
      to={`the key …${key.lastFour}`}
      title={`Revoke the key …${key.lastFour}${key.name === null ? '' : ` (${key.name})`}`}
      danger
      says={[
        `Whatever uses this key is refused from now on: ${what} where no other key is in use.`,
        'Orders that were placed with it go on. It cannot be taken back: make another key instead. The client is not told.',
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/accounts/{id}/keys/{keyId}', { params: { path: { id, keyId } } }))}
      done={({ lastFour }) => `The key …${lastFour} is revoked`}
    />
  );
}

const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
