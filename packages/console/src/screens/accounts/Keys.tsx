import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { callApi, callApiPage, type Environment, type KnownValue, type Schema, studio } from '../../api/studio';
import { useSession } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { DayInput } from '../../shared/inputs';
import { Panel } from '../../shared/layout';
import { type Column, ListTable, useList } from '../../shared/list';
import { startOfDay, todayIn } from '../../shared/local-time';
import { ownValue } from '../../shared/own-value';
import { CredentialStatus, SecretOnce } from '../../shared/secret';
import { CLIENT_NOT_NOTIFIED, statusLabel } from '../../shared/words';
import { Time } from '../../shared/time';
import type { Account } from './account-form';

type Scope = KnownValue<Schema<'ApiKey'>['scopes'][number]>;

const SCOPES: Readonly<Record<Scope, { label: string; description: string }>> = {
  'price:read': { label: 'Read prices', description: 'Read the catalogue and get prices' },
  'orders:read': { label: 'Read orders', description: 'Read orders, events and webhooks' },
  'orders:write': { label: 'Write orders', description: 'Upload artwork, place and cancel orders, resend webhooks' },
};
const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

type Key = Schema<'ApiKey'>;

export function Keys({ account }: { account: Account }) {
  const { id } = account;
  const list = useList<Key>(['keys', id], (cursor) =>
    callApiPage(studio.GET('/accounts/{id}/keys', { params: { path: { id }, query: { cursor } } })),
  );
  return (
    <Panel title="API keys" beside={<CreateKey account={account} />}>
      <ListTable
        label="API keys"
        noun="key"
        list={list}
        columns={COLUMNS}
        keyOf={(key) => key.id}
        empty="No API keys. The account cannot order yet."
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Key>[] = [
  { heading: 'Name', wrap: true, cell: ({ name }) => name ?? '–' },
  { heading: 'Environment', cell: ({ environment }) => statusLabel(environment) },
  { heading: 'Key', cell: ({ prefix, lastFour }) => <span className="mono">{`${prefix}…${lastFour}`}</span> },
  { heading: 'Permissions', wrap: true, cell: ({ scopes }) => scopes.map((scope) => ownValue(SCOPES, scope)?.label ?? scope).join(', ') },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />) },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Status', cell: (key) => <CredentialStatus of={key} /> },
  { heading: '', cell: (key) => key.revokedAt === null && <Revoke of={key} /> },
];

function Revoke({ of: key }: { of: Key }) {
  const { id: keyId, accountId: id } = key;
  return (
    <Action
      label="Revoke"
      target={`the key …${key.lastFour}`}
      title={`Revoke the key …${key.lastFour}${key.name === null ? '' : ` (${key.name})`}`}
      danger
      consequences={[`The service refuses the key from now on. Existing orders continue.`, `You cannot undo this. ${CLIENT_NOT_NOTIFIED}`]}
      retry="safe"
      run={() => callApi(studio.DELETE('/accounts/{id}/keys/{keyId}', { params: { path: { id, keyId } } }))}
      toast={({ lastFour }) => `Key …${lastFour} revoked`}
    />
  );
}

function CreateKey({ account }: { account: Account }) {
  const { timeZone } = useSession();
  const form = useActionForm(
    () => ({ environment: 'test' as Environment, scopes: ALL_SCOPES, name: '', expiresOn: '' }),
    ({ scopes }) => ({ scopes: scopes.length === 0 && 'Select a permission' }),
  );
  const run = () => {
    const { environment, scopes, name, expiresOn } = form.values;
    const expiresAt = expiresOn === '' ? null : startOfDay(expiresOn, timeZone);
    const body = { environment, scopes, name: name.trim() || null, expiresAt };
    return callApi(studio.POST('/accounts/{id}/keys', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Create key"
      title={`Create API key for ${account.name}`}
      consequences={['The key is shown once. Send it to the client over a secure channel.']}
      run={run}
      toast={() => 'API key created'}
      {...form.action}
      result={({ key }) => <SecretOnce name="API key" secret={key} remedy="If it is lost, revoke it and create another." />}
      button={{ variant: 'filled' }}
    >
      <NativeSelect
        label="Environment"
        data={[
          { value: 'test', label: 'Test: orders are neither printed nor charged' },
          { value: 'live', label: 'Live: orders are printed and charged' },
        ]}
        {...form.field('environment')}
      />
      <Checkbox.Group label="Permissions" {...form.field('scopes')}>
        <Stack gap={6} mt={4}>
          {ALL_SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPES[scope].description} description={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput label="Name" description="The shop or program that uses the key." maxLength={100} {...form.field('name')} />
      <DayInput
        label="Expires"
        description="At the start of this day. Empty: never."
        minDate={todayIn(timeZone)}
        {...form.field('expiresOn')}
      />
    </Action>
  );
}
