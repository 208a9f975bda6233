import { Button, Group, Stack, Text } from '@mantine/core';
import { createContext, useContext, useEffect } from 'react';
import { Copy } from './copy';
import { type Unsaved, useDismiss } from './dialog';
import { isPast } from './local-time';
import { Time } from './time';

export const SECRET: Unsaved = {
  title: 'Not copied yet',
  question: 'It is not shown again. Close without copying?',
  keep: 'Keep open',
  discard: 'Close without copying',
};

const SetSecretShown = createContext<(isShown: boolean) => void>(() => {});

/** A secret that is shown once, to copy. `remedy` says what to do if it is lost. */
export function SecretOnce({ name, secret, remedy }: { name: string; secret: string; remedy: string }) {
  const setShown = useContext(SetSecretShown);
  useEffect(() => setShown(true), [setShown]);
  const copied = (): void => setShown(false);
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

interface ResultBodyProps {
  /** Called with false after a copy. */
  setSecretShown: (isShown: boolean) => void;
  children: React.ReactNode;
}

/** The body of a dialog that shows the result of its action. */
export function ResultBody({ setSecretShown, children }: ResultBodyProps) {
  return (
    <SetSecretShown value={setSecretShown}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button onClick={useDismiss()}>Close</Button>
        </Group>
      </Stack>
    </SetSecretShown>
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
