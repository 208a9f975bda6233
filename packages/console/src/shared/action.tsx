import { Button, Group, List, Modal, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { Copy } from './copy';
import { newSenderId } from './ids';
import { Refused } from './told';

export interface ActionProps<T> {
  /** On the button: a verb. */
  label: string;
  /** What it is done to, for those who hear one of many such buttons. */
  to?: string;
  /** Over the question; the label unless given. */
  title?: string;
  /** What will happen, and who will be told of it, a sentence each. */
  says: readonly React.ReactNode[];
  /** Does it. The id is the same however often it is sent, until it has been done: give it as the sender's own id. @throws Refusal */
  run: (id: string) => Promise<T>;
  /** What is said when it is done. */
  done?: (result: T) => string;
  /** What it asks for: inputs whose state whoever uses this keeps. */
  children?: React.ReactNode;
  /** Whether what was put in will do. */
  ready?: boolean;
  /** When the question is opened, to clear what was put in last time. */
  onOpen?: () => void;
  /** What is shown instead of closing, such as a secret that is told once. */
  result?: (result: T) => React.ReactNode;
  /** Of what cannot be taken back. */
  danger?: boolean;
  button?: ButtonProps & { 'aria-label'?: string };
}

/** Whether what is below can be asked for now. A dialog that is open already stays, so that whoever confirms it is told why not. */
export const Offered = createContext(true);

/** A button that asks first: what will happen and to whom; that shows a refusal's words; and that can be sent again safely. */
export function Action<T>(props: ActionProps<T>) {
  const { label, to, title = label, says, run, done, children, ready = true, onOpen, result, danger = false, button } = props;
  const [opened, { open, close }] = useDisclosure(false);
  const isOffered = useContext(Offered);
  const [id, setId] = useState(newSenderId);
  const queries = useQueryClient();
  const doing = useMutation({
    mutationFn: () => run(id),
    onSuccess: async (answer) => {
      setId(newSenderId());
      notifications.show({ message: done?.(answer) ?? `${title}: done`, color: 'green' });
      if (result === undefined) close();
      await queries.invalidateQueries();
    },
  });
  const ask = (): void => {
    doing.reset();
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
        onClose={close}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close' }}
        size="lg"
        closeOnClickOutside={told === undefined}
      >
        {told !== undefined ? (
          <Stack>
            {told}
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Says says={says} />
              {children}
              <Refused error={doing.error} />
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  Leave it
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

/** A secret that is told once: to copy, with what becomes of it said beside it. */
export function TellOnce({ what, secret }: { what: string; secret: string }) {
  return (
    <Stack gap="xs">
      <Text fw={600}>{what}: shown here, and never again</Text>
      <Text className="mono" data-secret>
        {secret}
      </Text>
      <Group>
        <Copy text={secret} />
      </Group>
    </Stack>
  );
}
