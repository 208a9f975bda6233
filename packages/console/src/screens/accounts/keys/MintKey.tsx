import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import type { Environment } from '../../../api/types';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { TellOnce } from '../../../shared/tell-once';
import { startOf } from '../days';
import type { Account } from '../draft';
import { ALL_SCOPES, SCOPES, type Scope } from './scopes';

/** Makes a key and shows it, once: for test orders unless one says otherwise, as with those a program is tried first. */
export function MintKey({ account }: { account: Account }) {
  const { timeZone } = useSession();
  const [environment, setEnvironment] = useState<Environment>('test');
  const [scopes, setScopes] = useState<readonly Scope[]>(ALL_SCOPES);
  const [name, setName] = useState('');
  const [until, setUntil] = useState('');
  const reset = (): void => {
    setEnvironment('test');
    setScopes(ALL_SCOPES);
    setName('');
    setUntil('');
  };
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
      onOpen={reset}
      result={shownOnce}
      button={{ variant: 'filled' }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="For"
          value={environment}
          onChange={(event) => setEnvironment(event.currentTarget.value as Environment)}
          data={[
            { value: 'test', label: 'Test orders: nothing is printed or charged' },
            { value: 'live', label: 'Live orders: they are made and billed' },
          ]}
        />
        <Checkbox.Group label="What it may do" value={[...scopes]} onChange={(chosen) => setScopes(chosen as Scope[])}>
          <Stack gap={6} mt={4}>
            {ALL_SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={SCOPES[scope].says} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label="Name"
          description="Such as the shop or the program that will use it."
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Works until the beginning of"
          description="Left empty, it does not expire."
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </Stack>
    </Action>
  );
}

const shownOnce = ({ key }: { key: string }) => (
  <TellOnce what="The key" secret={key} remedy="Should it get lost, revoke it and make another." />
);
