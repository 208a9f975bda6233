import { Badge, Checkbox, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { ask, page, studio } from '../../api/studio';
import type { Environment, Known, Of } from '../../api/types';
import { useSession } from '../../session/session';
import { Action } from '../../shared/action';
import { useFields } from '../../shared/fields';
import { known } from '../../shared/known';
import { type Column, ListTable, useList } from '../../shared/list';
import { SecretOnce } from '../../shared/secret';
import { When } from '../../shared/when';
import { startOf } from '../../shared/zoned';
import type { Account } from './draft';

type Scope = Known<Of<'ApiKey'>['scopes'][number]>;

const SCOPES: Readonly<Record<Scope, { short: string; says: string }>> = {
  'price:read': { short: 'prices', says: 'See the catalogue and ask for prices' },
  'orders:read': { short: 'see orders', says: 'See its orders, events and webhooks' },
  'orders:write': { short: 'order', says: 'Upload artwork, place and cancel orders, have webhooks sent again' },
};
const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

type Key = Of<'ApiKey'>;

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
  { heading: 'May', cell: ({ scopes }) => scopes.map((scope) => known(SCOPES, scope)?.short ?? scope).join(', ') },
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

function MintKey({ account }: { account: Account }) {
  const { timeZone } = useSession();
  const { fields, set, typed, clear } = useFields(() => ({ environment: 'test' as Environment, scopes: ALL_SCOPES, name: '', until: '' }));
  const { environment, scopes, name, until } = fields;
  const run = () => {
    const expiresAt = until === '' ? null : startOf(until, timeZone);
    const body = { environment, scopes: [...scopes], name: name.trim() || null, expiresAt };
    return ask(studio.POST('/accounts/{id}/keys', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Make a key"
      title={`Make a key for ${account.name}`}
      says={[
        'It works at once. Its text is shown in the next step, this one time: send it to the client by a way you trust, never by plain mail.',
        'If this page could not tell whether it was done, look at the list: a key whose text nobody has is best revoked.',
      ]}
      run={run}
      done={() => 'The key is made'}
      ready={scopes.length > 0}
      onOpen={clear}
      result={shownOnce}
      button={{ variant: 'filled' }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="For"
          {...typed('environment')}
          data={[
            { value: 'test', label: 'Test orders: nothing is printed or charged' },
            { value: 'live', label: 'Live orders: they are made and billed' },
          ]}
        />
        <Checkbox.Group label="What it may do" value={[...scopes]} onChange={(chosen) => set('scopes', chosen as Scope[])}>
          <Stack gap={6} mt={4}>
            {ALL_SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={SCOPES[scope].says} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput label="Name" description="Such as the shop or the program that will use it." maxLength={100} {...typed('name')} />
        <TextInput type="date" label="Works until the beginning of" description="Left empty, it does not expire." {...typed('until')} />
      </Stack>
    </Action>
  );
}

const shownOnce = ({ key }: { key: string }) => (
  <SecretOnce name="The key" secret={key} remedy="Should it get lost, revoke it and make another." />
);
