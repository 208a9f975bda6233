import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { createContext, useContext, useEffect, useState } from 'react';
import { Copy } from './copy';

/** How far one is with a secret that a dialog tells. */
type Secret = 'none' | 'told' | 'copied';
const Telling = createContext<(secret: Secret) => void>(() => {});

interface TellOnceProps {
  what: string;
  secret: string;
  /** What helps whoever has lost it. */
  remedy: string;
}

/** A secret that is told once: to copy, with what becomes of it said beside it. */
export function TellOnce({ what, secret, remedy }: TellOnceProps) {
  const tell = useContext(Telling);
  useEffect(() => tell('told'), [tell]);
  const copied = (): void => tell('copied');
  return (
    <Stack gap="xs">
      <Text fw={600}>{what}: shown here, and never again</Text>
      <Text className="mono" data-secret onCopy={copied}>
        {secret}
      </Text>
      <Group>
        <Copy text={secret} copied={copied} />
      </Group>
      <Text size="sm">{remedy}</Text>
    </Stack>
  );
}

/** What an action shows instead of closing. A secret that nobody has copied is not lost by closing it: that is asked about first. */
export function useTelling(close: () => void) {
  const [secret, tell] = useState<Secret>('none');
  const [isAsking, setAsking] = useState(false);
  const forget = (): void => {
    tell('none');
    setAsking(false);
  };
  const leave = (): void => (secret === 'told' ? setAsking(true) : close());
  return { tell, forget, leave, isAsking: isAsking && secret === 'told', stay: () => setAsking(false) };
}

interface ToldProps {
  telling: ReturnType<typeof useTelling>;
  close: () => void;
  children: React.ReactNode;
}

export function Told({ telling: { tell, leave, isAsking, stay }, close, children }: ToldProps) {
  return (
    <Telling value={tell}>
      <Stack>
        {children}
        {isAsking ? (
          <Alert color="yellow" role="alert" title="Nobody has copied it">
            <Text size="sm">It is not shown again. Close without it?</Text>
            <Group mt="xs" gap="sm">
              <Button size="xs" onClick={stay} data-autofocus autoFocus>
                Keep it open
              </Button>
              <Button size="xs" variant="outline" color="red" onClick={close}>
                Close without it
              </Button>
            </Group>
          </Alert>
        ) : (
          <Group justify="flex-end">
            <Button onClick={leave}>Close</Button>
          </Group>
        )}
      </Stack>
    </Telling>
  );
}
