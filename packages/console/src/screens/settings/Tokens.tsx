import { Radio, Stack, TextInput } from '@mantine/core';
import { callApi, callApiPage, type KnownValue, type Role, type Schema, studio } from '../../api/studio';
import { useSession } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { DateTimeInput } from '../../shared/inputs';
import { type Column, ListTable, useList } from '../../shared/list';
import { parseLocalTime } from '../../shared/local-time';
import { Panel } from '../../shared/layout';
import { personName, statusLabel } from '../../shared/words';
import { CredentialStatus, SecretOnce } from '../../shared/secret';
import { Time } from '../../shared/time';

type Token = Schema<'Token'>;

const COLUMNS: readonly Column<Token>[] = [
  { heading: 'Name', wrap: true, cell: ({ name }) => <span title={name}>{personName(name)}</span> },
  { heading: 'Role', cell: ({ role, kind }) => (kind === 'station' ? 'Station' : statusLabel(role)) },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />) },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Status', cell: (token) => <CredentialStatus of={token} /> },
  { heading: '', cell: (token) => token.revokedAt === null && <RevokeToken token={token} />, right: true },
];

export function Tokens() {
  const list = useList(['tokens'], (cursor) => callApiPage(studio.GET('/tokens', { params: { query: { cursor } } })));
  return (
    <Panel title="Tokens" beside={<CreateToken />}>
      <ListTable<Token> label="Tokens" noun="token" list={list} keyOf={({ id }) => id} columns={COLUMNS} empty="No tokens yet" />
    </Panel>
  );
}

type Kind = KnownValue<Token['kind']>;

const ROLES: readonly { role: Role | 'station'; description: string }[] = [
  { role: 'station', description: 'One browser on the floor, which stays signed in until you revoke the token. Rights as floor.' },
  { role: 'floor', description: 'Orders, production, parcels and job sheets, without amounts of money.' },
  { role: 'office', description: 'Also accounts, money, webhooks, the catalogue and settings.' },
  { role: 'admin', description: 'Also tokens, API keys, prices, the audit log and erasing personal data.' },
];

function CreateToken() {
  const { timeZone } = useSession();
  const form = useActionForm(
    () => ({ name: '', role: 'floor' as Role | 'station', until: '' }),
    ({ name, until }) => ({
      name: name.trim() === '' && 'Enter a name',
      until: until !== '' && parseLocalTime(until, timeZone) === null && 'Enter a valid time',
    }),
  );
  const { name, until } = form.values;
  const [role, kind]: [Role, Kind] = form.values.role === 'station' ? ['floor', 'station'] : [form.values.role, 'person'];
  const expiresAt = until === '' ? null : parseLocalTime(until, timeZone);
  return (
    <Action<Schema<'NewToken'>>
      label="Create token"
      button={{ variant: 'filled' }}
      consequences={['The next step shows the token once. The person or program signs in with it.']}
      run={() => callApi(studio.POST('/tokens', { body: { name: name.trim(), role, kind, expiresAt } }))}
      toast={(created) => `Token created for ${created.name}`}
      {...form.action}
      result={({ token, name: owner }) => (
        <SecretOnce name={`Token of ${owner}`} secret={token} remedy="If it gets lost, revoke it and create another." />
      )}
    >
      <TextInput
        label="Name"
        description="Person or device, such as press-7. Timelines and the audit log show it."
        {...form.field('name')}
        required
        data-autofocus
      />
      <Radio.Group label="Role" {...form.field('role')}>
        <Stack gap="xs" mt="xs">
          {ROLES.map((each) => (
            <Radio key={each.role} value={each.role} label={statusLabel(each.role)} description={each.description} />
          ))}
        </Stack>
      </Radio.Group>
      <DateTimeInput label="Expires" description="Studio time. Default: never" {...form.field('until')} />
    </Action>
  );
}

function RevokeToken({ token: { id, name } }: { token: Token }) {
  const isOwnName = useSession().name === name;
  return (
    <Action
      label="Revoke"
      target={name}
      title={`Revoke the token of ${name}`}
      consequences={[
        'Everyone who signed in with it is signed out, and programs that use it stop working. You cannot undo this.',
        'The audit log keeps the name.',
        ...(isOwnName ? ['If this is your own token, you are signed out.'] : []),
      ]}
      retry="safe"
      run={() => callApi(studio.DELETE('/tokens/{id}', { params: { path: { id } } }))}
      toast={() => `Token of ${name} revoked`}
      danger
    />
  );
}
