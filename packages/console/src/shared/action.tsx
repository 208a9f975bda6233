import { Button, type ButtonProps, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext, useId, useImperativeHandle, useState } from 'react';
import { type Issue, Refusal } from '../api/refusal';
import { invalidateNouns } from '../live/nouns';
import { Offline } from '../live/Offline';
import { useOpenDialog } from '../session/open-dialogs';
import { isSessionEnded, sessionQuery } from '../session/session';
import { isOrderNumber } from './progress';
import { useScans } from './scans';
import { ResultBody, useSecretGuard } from './secret';
import { ErrorAlert } from './feedback';
import { refuseScan, showToast } from './toast';
import { playTone } from './tone';
import { useForm } from '@mantine/form';

/** The id of an action, which makes sending it again safe. Pages over plain HTTP have no randomUUID. */
export function newIdempotencyId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Opens the dialog of an action from elsewhere, such as a menu. */
export interface ActionHandle {
  open: () => void;
}

interface ActionProps<T> {
  ref?: React.Ref<ActionHandle> | undefined;
  label: string;
  /** Label of the button in the dialog. */
  confirm?: string;
  /** Label of the button that closes the dialog. */
  cancel?: string;
  /** The object of the action, for screen readers. */
  target?: string;
  title?: string;
  /** What will happen and who will be notified, one sentence each. */
  consequences: readonly React.ReactNode[];
  /** Does it. `id` stays the same until it has succeeded: pass it as the sender's id. @throws Refusal */
  run: (id: string) => Promise<T>;
  /**
   * After a lost answer, sending again does nothing more (`safe`) or acts a second time (`acts again`). Default: `safe` if `run` takes the
   * id. Without the id only idempotent actions are `safe`, such as setting a value.
   */
  retry?: 'safe' | 'acts again';
  toast?: (result: T) => string;
  /** Inputs; the caller keeps their state. A function also gets the issues of the refusal, to show them at the fields. */
  children?: React.ReactNode | ((issues: readonly Issue[]) => React.ReactNode);
  ready?: boolean;
  /** Why `ready` is false, such as `Enter an amount`. It is shown beside the disabled button. */
  notReadyReason?: string | undefined;
  /** Reverses the action. The toast then has a button for it. @throws Refusal */
  undo?: (result: T) => Promise<unknown>;
  /** A scan of the page's order confirms the dialog. Only for steps of production. */
  scanConfirms?: boolean;
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

const AreButtonsShown = createContext(true);

/** Shows or hides the buttons of the actions inside. Without its button, an action opens by its `ref`, and an open dialog stays open. */
export function ActionButtons({ shown, children }: { shown: boolean; children: React.ReactNode }) {
  return <AreButtonsShown value={shown}>{children}</AreButtonsShown>;
}

const UNCERTAIN = {
  safe: 'It may have been done. Sending again is safe.',
  'acts again': 'It may have been done. Check the list first: sending again repeats it.',
} as const;

/** The API recognizes an id that it has received before, so an action that sends its id acts only once. */
const sendsItsId = (run: (id: string) => Promise<unknown>): boolean => run.length > 0;

/** A button with a dialog that states the consequences, shows the API's errors, and says whether repeating is safe. */
export function Action<T>(props: ActionProps<T>) {
  const { label, target, title = label, consequences, run, toast, children, ready = true, onOpen, result, danger = false, button } = props;
  const { ref, confirm = label, cancel = 'Cancel', labels, notReadyReason, undo, scanConfirms = false } = props;
  const { retry = sendsItsId(run) ? 'safe' : 'acts again' } = props;
  const [opened, { open, close }] = useDisclosure(false);
  useOpenDialog(opened);
  const isAvailable = useContext(AreButtonsShown);
  const [id, setId] = useState(newIdempotencyId);
  const reasonId = useId();
  const guard = useSecretGuard(close);
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => run(id),
    onSuccess: async (answer) => {
      setId(newIdempotencyId());
      showToast({ message: toast?.(answer) ?? `${title}: done`, undo: undo && (() => undo(answer)) });
      if (result === undefined) close();
      await invalidateNouns(queries);
    },
  });
  // A live update may already show the effect of the lost request, such as an invoice that is paid.
  const isSafeRepeat = retry === 'safe' && mutation.error instanceof Refusal && mutation.error.isUncertain;
  const canSend = ready || isSafeRepeat;
  const openDialog = (): void => {
    mutation.reset();
    guard.reset();
    setId(newIdempotencyId());
    onOpen?.();
    open();
  };
  useImperativeHandle(ref, () => ({ open: openDialog }));
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (canSend && !mutation.isPending) mutation.mutate();
  };
  const { order } = useParams({ strict: false });
  // Another order would discard the input.
  useScans((text) => {
    if (text === order && scanConfirms && ready && !danger && !mutation.isPending && !mutation.isSuccess) return mutation.mutate();
    if (!isOrderNumber(text)) return playTone('refused');
    refuseScan(text === order ? (!ready && notReadyReason) || 'Confirm with the button.' : `Close the dialog to open ${text}.`);
  }, opened);
  const dismiss = (): void => {
    if (!mutation.isPending && !isSessionEnded(queries.getQueryState(sessionQuery.queryKey)?.error)) guard.close();
  };
  const colour = danger ? { color: 'red' } : {};
  const resultView = mutation.isSuccess ? result?.(mutation.data) : undefined;
  return (
    <>
      {isAvailable && (
        <Button
          size="xs"
          variant={danger ? 'outline' : 'default'}
          {...colour}
          {...(target && { 'aria-label': `${label} ${target}` })}
          {...button}
          onClick={openDialog}
        >
          {label}
        </Button>
      )}
      <Modal
        opened={opened}
        onClose={dismiss}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close', disabled: mutation.isPending }}
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
              <Consequences sentences={consequences} />
              {typeof children === 'function' ? children(issuesOf(mutation.error)) : children}
              <ErrorAlert error={mutation.error} uncertain={UNCERTAIN[retry]} labels={labels} />
              <Group justify="flex-end">
                {!canSend && notReadyReason !== undefined && (
                  <Text size="sm" id={reasonId}>
                    {notReadyReason}
                  </Text>
                )}
                <Button variant="default" onClick={close} disabled={mutation.isPending}>
                  {cancel}
                </Button>
                <Button
                  type="submit"
                  {...colour}
                  disabled={!canSend}
                  loading={mutation.isPending}
                  {...(canSend ? {} : { 'aria-describedby': reasonId })}
                >
                  {mutation.error === null ? confirm : `${confirm}: send again`}
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

function Consequences({ sentences }: { sentences: readonly React.ReactNode[] }) {
  if (sentences.length === 1) return <Text size="sm">{sentences[0]}</Text>;
  return (
    <List size="sm">
      {sentences.map((sentence, index) => (
        // The sentences of an action never change.
        // oxlint-disable-next-line react/no-array-index-key
        <List.Item key={index}>{sentence}</List.Item>
      ))}
    </List>
  );
}

/** The problems of a form, by field. The first one is shown beside the disabled button. */
type Problems = Readonly<Record<string, string | false | undefined>>;

/** A form for an Action: spread `action` into it. The form starts anew whenever the dialog opens. */
export function useActionForm<Values extends object>(initial: () => Values, check: (values: Values) => Problems = () => ({})) {
  const form = useForm<Values>({ initialValues: initial() });
  const problem = Object.values(check(form.values)).find((each) => typeof each === 'string');
  const onOpen = (): void => {
    form.setInitialValues(initial());
    form.reset();
  };
  const field = <Name extends keyof Values & string>(name: Name) => ({
    ...form.getInputProps(name as never),
    value: form.values[name],
  });
  return { ...form, field, action: { ready: problem === undefined, notReadyReason: problem, onOpen } };
}

/** A form of an Action that requires a reason. */
export const useReasonForm = () =>
  useActionForm(
    () => ({ reason: '' }),
    ({ reason }) => ({ reason: reason.trim() === '' && 'Enter a reason' }),
  );

/** Text without surrounding spaces; undefined if nothing is left. */
export const trimToUndefined = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed.trim());
