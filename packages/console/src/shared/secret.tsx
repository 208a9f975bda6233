import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { createContext, useContext, useEffect, useState } from 'react';
import { Copy } from './copy';
import { isPast } from './local-time';
import { Time } from './time';

type SecretState = 'none' | 'shown' | 'copied';
const SetSecretState = createContext<(state: SecretState) => void>(() => {});

/** A secret that is shown once, to copy. `remedy` says what to do if it is lost. */
export function SecretOnce({ name, secret, remedy }: { name: string; secret: string; remedy: string }) {
  const setState = useContext(SetSecretState);
  useEffect(() => setState('shown'), [setState]);
  const copied = (): void => setState('copied');
  return (
    <Stack gap="xs">
      <Text fw={600}>{name}: shown only once</Text>
      <Text className="mono" data-secret onCopy={copied}>
        {secret}
      </Text>
      <Copy text={secret} onCopied={copied} style={{ alignSelf: 'start' }} />
      <Text size="sm">{remedy}</Text>
    </Stack>
  );
}

/** Asks before a dialog closes while its secret is not copied. */
export function useSecretGuard(closeDialog: () => void) {
  const [state, setState] = useState<SecretState>('none');
  const [isAsking, setAsking] = useState(false);
  const reset = (): void => {
    setState('none');
    setAsking(false);
  };
  const close = (): void => (state === 'shown' ? setAsking(true) : closeDialog());
  return { setState, reset, close, isAsking: isAsking && state === 'shown', keepOpen: () => setAsking(false) };
}

interface ResultBodyProps {
  guard: ReturnType<typeof useSecretGuard>;
  /** Closes without asking. */
  close: () => void;
  children: React.ReactNode;
}

/** The body of a dialog that shows the result of its action. */
export function ResultBody({ guard, close, children }: ResultBodyProps) {
  return (
    <SetSecretState value={guard.setState}>
      <Stack>
        {children}
        {guard.isAsking ? (
          <Alert color="yellow" role="alert" title="Not copied yet">
            <Text size="sm">It is not shown again. Close without copying?</Text>
            <Group mt="xs" gap="sm">
              <Button size="xs" onClick={guard.keepOpen} data-autofocus autoFocus>
                Keep open
              </Button>
              <Button size="xs" variant="outline" color="red" onClick={close}>
                Close without copying
              </Button>
            </Group>
          </Alert>
        ) : (
          <Group justify="flex-end">
            <Button onClick={guard.close}>Close</Button>
          </Group>
        )}
      </Stack>
    </SetSecretState>
  );
}

/** The status of an API key or a token. */
export function CredentialStatus({ of: { revokedAt, expiresAt } }: { of: { revokedAt: string | null; expiresAt: string | null } }) {
  if (revokedAt === null && expiresAt === null) return 'Active';
  const label = revokedAt !== null ? 'Revoked' : isPast(expiresAt ?? '') ? 'Expired' : 'Active until';
  return (
    <>
      {label} <Time at={revokedAt ?? expiresAt} />
    </>
  );
}
