import { Alert, Button, type ButtonProps, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { Copy } from './copy';
import { Refused } from './told';

/** An id of the sender's own, for one action: sent again, it does nothing twice. Not randomUUID, which a page over plain HTTP lacks. */
function newSenderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

type Secret = 'none' | 'told' | 'copied';
const Telling = createContext<(secret: Secret) => void>(() => {});

interface TellOnceProps {
  what: string;
  secret: string;
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
function useTelling(close: () => void) {
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

function Told({ telling: { tell, leave, isAsking, stay }, close, children }: ToldProps) {
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

interface ActionProps<T> {
  label: string;
  to?: string;
  title?: string;
  /** What will happen, and who will be told of it, a sentence each. */
  says: readonly React.ReactNode[];
  /** Does it. The id is the same however often it is sent, until it has been done: give it as the sender's own id. @throws Refusal */
  run: (id: string) => Promise<T>;
  /**
   * What comes of sending it once more where no answer came: nothing happens twice (`safely`), or it is done anew. `safely` by itself where
   * `run` takes the sender's id; otherwise only what leaves the same behind however often it is done, such as a change to a value.
   */
  repeats?: 'safely' | 'anew';
  done?: (result: T) => string;
  /** What it asks for: inputs whose state whoever uses this keeps. */
  children?: React.ReactNode;
  ready?: boolean;
  /** When the question is opened, to clear what was put in last time. */
  onOpen?: () => void;
  result?: (result: T) => React.ReactNode;
  /** What the API's fields are called here, for what it says of them: `{ url: 'Address' }`. */
  labels?: Readonly<Record<string, string>>;
  danger?: boolean;
  button?: ButtonProps & { 'aria-label'?: string };
}

/** Whether what is below can be asked for now. A dialog that is open already stays, so that whoever confirms it is told why not. */
export const Offered = createContext(true);

const UNCERTAIN = {
  safely: 'Whether it was done is not known. Send it again: that does nothing twice.',
  anew: 'It may have happened: look in the list before you send it again, which would do it anew.',
} as const;

/** A button that asks first: what will happen and to whom; that shows a refusal's words; and that says whether it is safely sent again. */
export function Action<T>(props: ActionProps<T>) {
  const { label, to, title = label, says, run, done, children, ready = true, onOpen, result, danger = false, button } = props;
  const { labels, repeats = run.length > 0 ? 'safely' : 'anew' } = props;
  const [opened, { open, close }] = useDisclosure(false);
  const isOffered = useContext(Offered);
  const [id, setId] = useState(newSenderId);
  const telling = useTelling(close);
  const queries = useQueryClient();
  const doing = useMutation({
    mutationFn: () => run(id),
    onSuccess: async (answer) => {
      setId(newSenderId());
      notifications.show({ message: done?.(answer) ?? `${title}: done`, color: 'green' });
      // Whoever has closed it meanwhile is shown all the same what is not shown again.
      if (result === undefined) close();
      else open();
      await queries.invalidateQueries();
    },
  });
  const ask = (): void => {
    if (doing.isPending) return open();
    doing.reset();
    telling.forget();
    setId(newSenderId());
    onOpen?.();
    open();
  };
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (ready && !doing.isPending) doing.mutate();
  };
  const colour = danger ? { color: 'red' } : {};
  const told = doing.isSuccess ? result?.(doing.data) : undefined;
  return (
    <>
      {isOffered && (
        <Button
          size="xs"
          variant={danger ? 'outline' : 'default'}
          {...colour}
          {...(to === undefined ? {} : { 'aria-label': `${label} ${to}` })}
          {...button}
          onClick={ask}
        >
          {label}
        </Button>
      )}
      <Modal
        opened={opened}
        onClose={telling.leave}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close' }}
        size="lg"
        closeOnClickOutside={told === undefined}
      >
        {told !== undefined ? (
          <Told telling={telling} close={close}>
            {told}
          </Told>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Says says={says} />
              {children}
              <Refused error={doing.error} uncertain={UNCERTAIN[repeats]} labels={labels} />
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  Not now
                </Button>
                <Button type="submit" {...colour} disabled={!ready} loading={doing.isPending}>
                  {doing.error === null ? label : `${label}: send again`}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

function Says({ says }: { says: readonly React.ReactNode[] }) {
  if (says.length === 1) return <Text size="sm">{says[0]}</Text>;
  return (
    <List size="sm">
      {says.map((sentence, at) => (
        // The sentences of one action neither move nor go away.
        // oxlint-disable-next-line react/no-array-index-key
        <List.Item key={at}>{sentence}</List.Item>
      ))}
    </List>
  );
}
