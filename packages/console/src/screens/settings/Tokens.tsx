import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { ask, page, studio } from '../../api/studio';
import type { Of, Role } from '../../api/types';
import { useSession } from '../../session/session';
import { Action } from '../../shared/action';
import { Section } from '../../shared/section';
import { useFields } from '../../shared/fields';
import { type Column, ListTable, useList } from '../../shared/list';
import { SecretOnce } from '../../shared/secret';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { instantOf } from '../../shared/zoned';

type Token = Of<'Token'>;

const COLUMNS: readonly Column<Token>[] = [
  { heading: 'Name', cell: ({ name }) => name },
  { heading: 'Role', cell: ({ role }) => wordsOf(role) },
  { heading: 'State', cell: (token) => <State token={token} /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <When at={lastUsedAt} />) },
  { heading: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'What to do', cell: (token) => (token.revokedAt === null ? <RevokeToken token={token} /> : ''), right: true },
];

export function Tokens() {
  const list = useList(['tokens'], (cursor) => page(studio.GET('/tokens', { params: { query: { cursor } } })));
  return (
    <Section title="Tokens">
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
    </Section>
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

const ROLES: readonly { role: Role; label: string; may: string }[] = [
  { role: 'floor', label: 'Floor', may: 'Orders, milestones, parcels, job sheets and packing slips. No money.' },
  {
    role: 'office',
    label: 'Office',
    may: 'What the floor may; accounts, invoices and all other money, webhooks, the catalogue, settings.',
  },
  { role: 'admin', label: 'Admin', may: 'Everything: also tokens, API keys of clients, prices, the audit log, erasing personal data.' },
];

function MintToken() {
  const { timeZone } = useSession();
  const { fields, set, typed, clear } = useFields(() => ({ name: '', role: 'floor' as Role, until: '' }));
  const { name, role, until } = fields;
  const expiresAt = until === '' ? null : instantOf(until, timeZone);
  return (
    <Action<Of<'NewToken'>>
      label="Make a token"
      says={[
        'Its text is shown once. Whoever has it may do what its role says, until it expires or is revoked.',
        'If no answer comes and you send it again, two may be there: revoke the one without use.',
      ]}
      run={() => ask(studio.POST('/tokens', { body: { name: name.trim(), role, expiresAt } }))}
      done={({ name: made }) => `A token for ${made} is made`}
      ready={name.trim() !== '' && (until === '' || expiresAt !== null)}
      onOpen={clear}
      result={told}
    >
      <TextInput
        label="Whose it is"
        description="A person or a machine, such as press-7: it stands in timelines and in the audit log."
        {...typed('name')}
        required
      />
      <Radio.Group label="Role" value={role} onChange={(value) => set('role', value as Role)}>
        <Stack gap="xs" mt="xs">
          {ROLES.map((each) => (
            <Radio key={each.role} value={each.role} label={each.label} description={each.may} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        type="datetime-local"
        label="Until"
        description={`On the studio's clock, ${timeZone}. Left empty, it does not expire.`}
        {...typed('until')}
      />
    </Action>
  );
}

function told({ token, name }: Of<'NewToken'>) {
  return <SecretOnce name={`The token of ${name}`} secret={token} remedy="Should it get lost, revoke it and make another." />;
}

function RevokeToken({ token: { id, name } }: { token: Of<'Token'> }) {
  const isOwn = useSession().name === name;
  return (
    <Action
      label="Revoke"
      to={name}
      title={`Revoke ${name}`}
      says={[
        'The next request with it is refused: programs that use it stop working, and whoever signed in with it is signed out.',
        'What was done with it stays, under its name. It cannot be taken back; another can be made.',
        ...(isOwn ? ['Your own sign-in has this name: if it is this token, you are signed out at once.'] : []),
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/tokens/{id}', { params: { path: { id } } }))}
      done={() => `${name} is revoked`}
      danger
    />
  );
}
