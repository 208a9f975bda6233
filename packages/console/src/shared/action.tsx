import { Button, type ButtonProps, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { type Issue, Refusal } from '../api/refusal';
import { Offline } from '../live/Offline';
import { useOpenDialog } from '../session/open-dialogs';
import { hasEnded, sessionQuery } from '../session/session';
import { ResultBody, useSecretGuard } from './secret';
import { Refused } from './told';

/** The sender's id of one action: a repeat does nothing twice. Pages over plain HTTP have no randomUUID. */
function newSenderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

interface ActionProps<T> {
  label: string;
  /** The object of the action, for screen readers. */
  to?: string;
  title?: string;
  /** What will happen and who will be notified, one sentence each. */
  says: readonly React.ReactNode[];
  /** Does it. `id` stays the same until it has succeeded: pass it as the sender's id. @throws Refusal */
  run: (id: string) => Promise<T>;
  /**
   * What a repeat does after a lost answer: nothing (`safely`) or the action again (`anew`). Default: `safely` if `run` takes the id, else
   * `anew`. Without the id only idempotent actions are `safely`, such as setting a value.
   */
  repeats?: 'safely' | 'anew';
  done?: (result: T) => string;
  /** Inputs; the caller keeps their state. A function also gets the issues of the refusal, to show them at the fields. */
  children?: React.ReactNode | ((issues: readonly Issue[]) => React.ReactNode);
  ready?: boolean;
  /** Called when the dialog opens, to clear its inputs. */
  onOpen?: () => void;
  /** Shown instead of closing, such as a secret that is shown once. */
  result?: (result: T) => React.ReactNode;
  /** Labels of the API's fields, for its error messages: `{ url: 'Address' }`. */
  labels?: Readonly<Record<string, string>>;
  /** The action cannot be undone. */
  danger?: boolean;
  button?: ButtonProps & { 'aria-label'?: string };
}

/** Whether the actions inside are available. An open dialog stays open and shows the API's reason. */
export const Offered = createContext(true);

const UNCERTAIN = {
  safely: 'Whether it was done is not known. Send it again: that does nothing twice.',
  anew: 'It may have happened: look in the list before you send it again, which would do it anew.',
} as const;

/** A button with a dialog: it says what will happen, shows the API's errors, and says whether a repeat is safe. */
export function Action<T>(props: ActionProps<T>) {
  const { label, to, title = label, says, run, done, children, ready = true, onOpen, result, danger = false, button } = props;
  const { labels, repeats = run.length > 0 ? 'safely' : 'anew' } = props;
  const [opened, { open, close }] = useDisclosure(false);
  useOpenDialog(opened);
  const isOffered = useContext(Offered);
  const [id, setId] = useState(newSenderId);
  const guard = useSecretGuard(close);
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
    guard.reset();
    setId(newSenderId());
    onOpen?.();
    open();
  };
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (ready && !doing.isPending) doing.mutate();
  };
  const dismiss = (): void => {
    if (!doing.isPending && !hasEnded(queries.getQueryState(sessionQuery.queryKey)?.error)) guard.close();
  };
  const colour = danger ? { color: 'red' } : {};
  const resultView = doing.isSuccess ? result?.(doing.data) : undefined;
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
        onClose={dismiss}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close', disabled: doing.isPending }}
        size="lg"
        closeOnClickOutside={false}
      >
        {resultView !== undefined ? (
          <ResultBody guard={guard} close={close}>
            {resultView}
          </ResultBody>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Offline />
              <Says says={says} />
              {typeof children === 'function' ? children(issuesOf(doing.error)) : children}
              <Refused error={doing.error} uncertain={UNCERTAIN[repeats]} labels={labels} />
              <Group justify="flex-end">
                <Button variant="default" onClick={close} disabled={doing.isPending}>
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

const issuesOf = (error: unknown): readonly Issue[] => (error instanceof Refusal ? error.issues : []);

function Says({ says }: { says: readonly React.ReactNode[] }) {
  if (says.length === 1) return <Text size="sm">{says[0]}</Text>;
  return (
    <List size="sm">
      {says.map((sentence, at) => (
        // The sentences of an action never change.
        // oxlint-disable-next-line react/no-array-index-key
        <List.Item key={at}>{sentence}</List.Item>
      ))}
    </List>
  );
}
