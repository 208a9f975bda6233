import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import type { Of, Role } from '../../api/types';
import { useSession } from '../../session/session';
import { Action } from '../../shared/action';
import { TellOnce } from '../../shared/tell-once';
import { instantOf } from '../../shared/zoned';

const ROLES: readonly { role: Role; label: string; may: string }[] = [
  { role: 'floor', label: 'Floor', may: 'Orders, milestones, parcels, job sheets and packing slips. No money.' },
  {
    role: 'office',
    label: 'Office',
    may: 'What the floor may; accounts, invoices and all other money, webhooks, the catalogue, settings.',
  },
  { role: 'admin', label: 'Admin', may: 'Everything: also tokens, API keys of clients, prices, the audit log, erasing personal data.' },
];

/** Makes a token for a person or a program, and shows its text once. */
export function MintToken() {
  const { timeZone } = useSession();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('floor');
  const [until, setUntil] = useState('');
  const expiresAt = until === '' ? null : instantOf(until, timeZone);
  const clear = (): void => {
    setName('');
    setRole('floor');
    setUntil('');
  };
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
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
      />
      <Radio.Group label="Role" value={role} onChange={(value) => setRole(value as Role)}>
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
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </Action>
  );
}

/** A token's text, once. */
function told({ token, name }: Of<'NewToken'>) {
  return <TellOnce what={`The token of ${name}`} secret={token} remedy="Should it get lost, revoke it and make another." />;
}
