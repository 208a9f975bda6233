import { Alert, Button, type ButtonProps, Fieldset, Group, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { type Issue, Refusal } from '../api/refusal';
import { invalidateNouns } from '../live/nouns';
import { Offline } from '../live/Offline';
import { useSession } from '../session/session';
import { Dialog, TYPED } from './dialog';
import { UNREAD } from './inputs';
import { serviceNow } from './service-clock';
import { isOrderNumber } from './order-number';
import { isLabel, setValue, useScans } from './scans';
import { ResultBody, SECRET } from './secret';
import { ErrorAlert } from './feedback';
import { refuseScan, refuseUnknownScan, showToast } from './toast';
import { Time } from './time';
import { type Attempt, findAttempt, forgetAttempt, keepAttempt } from './unanswered';
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
  /** Name of the changed object, for screen readers. */
  target?: string;
  title?: string;
  /** What will happen and who will be notified, one sentence each. */
  consequences: readonly React.ReactNode[];
  /** Does it. `id` stays the same until an answer is known: pass it as the sender's id. @throws Refusal */
  run: (id: string) => Promise<T>;
  /** Id of the changed object, such as an order's. Needed if `run` passes `id`. A reopened dialog finds an unanswered attempt by `label` and it. */
  subject?: string;
  /** Whether the action with this id was done, for the button "Check". @throws Refusal */
  find?: (id: string) => Promise<boolean>;
  /**
   * After a lost answer, sending again does nothing more (`safe`) or acts a second time (`acts again`). Default: `safe` with a `subject`.
   * Without an id only idempotent actions are `safe`, such as setting a value.
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
  /** Called when the dialog opens, to clear its inputs. Part of `useActionForm`. */
  resetInputs?: () => void;
  /** The values of the inputs. Part of `useActionForm`. */
  values?: unknown;
  /** Sets the inputs to earlier values. Part of `useActionForm`. */
  restoreInputs?: (values: never) => void;
  /** Called when the dialog opens, after its inputs are cleared. */
  onOpen?: () => void;
  /** Whether the inputs differ from their first values. */
  isChanged?: () => boolean;
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

/** A button with a dialog that states the consequences, shows the API's errors, and says whether repeating is safe. */
export function Action<T>(props: ActionProps<T>) {
  const {
    label,
    target,
    title = label,
    consequences,
    run,
    toast,
    children,
    ready = true,
    resetInputs,
    values,
    restoreInputs,
    onOpen,
    isChanged,
    result,
    danger = false,
    button,
  } = props;
  const { ref, confirm = label, cancel = 'Cancel', labels, notReadyReason, undo, scanConfirms = false } = props;
  const { subject, find, retry = subject === undefined ? 'acts again' : 'safe' } = props;
  const { tokenId } = useSession();
  const actionKey = subject === undefined ? null : `${label} ${subject}`;
  const [opened, { open, close }] = useDisclosure(false);
  const [unanswered, setUnanswered] = useState<Attempt | null>(null);
  const isButtonShown = useContext(AreButtonsShown);
  const [id, setId] = useState(newIdempotencyId);
  const reasonId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isSecretShown, setSecretShown] = useState(false);
  const queries = useQueryClient();
  const resetForm = (): void => {
    resetInputs?.();
    onOpen?.();
  };
  const forgetAndRenewId = (): void => {
    if (actionKey !== null) forgetAttempt(tokenId, actionKey);
    setUnanswered(null);
    setId(newIdempotencyId());
  };
  const mutation = useMutation({
    mutationFn: async (sentInputs: React.ReactNode): Promise<T> => {
      const send = (unanswered?.sent?.send as (() => Promise<T>) | undefined) ?? (() => run(id));
      if (actionKey === null) return send();
      const earlier = findAttempt(tokenId, actionKey);
      const attempt = unanswered?.sent
        ? unanswered
        : { id, sentAt: new Date(serviceNow()).toISOString(), sent: { send, consequences, inputs: sentInputs, values } };
      keepAttempt(tokenId, actionKey, attempt);
      try {
        return await send();
      } catch (error) {
        const kept = isUncertain(error) ? attempt : isAboutSender(error) ? earlier : null;
        if (kept === null) forgetAttempt(tokenId, actionKey);
        else keepAttempt(tokenId, actionKey, kept);
        setUnanswered(kept);
        throw error;
      }
    },
    onSuccess: async (answer) => {
      forgetAndRenewId();
      showToast({ message: toast?.(answer) ?? `${title}: done`, undo: undo && (() => undo(answer)) });
      if (result === undefined) close();
      await invalidateNouns(queries);
    },
  });
  const inputs = typeof children === 'function' ? children(issuesOf(mutation.error)) : children;
  const openings = useRef(0);
  const latest = useRef({ isBusy: false, isChanged });
  useEffect(() => {
    latest.current = { isBusy: mutation.isPending || mutation.isSuccess, isChanged };
  });
  /** A reopened dialog is for a new action if the earlier one was done. Text that was typed, or a request that was sent, during the search stays. */
  const settleIfDone = async (attempt: Attempt): Promise<void> => {
    const opening = openings.current;
    if ((await find?.(attempt.id).catch(() => false)) !== true) return;
    if (opening !== openings.current || latest.current.isBusy) return;
    forgetAndRenewId();
    if (latest.current.isChanged?.() !== true) resetForm();
    showToast({ message: `${title}: done before` });
  };
  /** The lost request may still arrive, so the next one has the same id. */
  const unlockInputs = (): void => {
    if (unanswered === null || actionKey === null) return;
    mutation.reset();
    if (unanswered.sent !== null) restoreInputs?.(unanswered.sent.values as never);
    keepAttempt(tokenId, actionKey, { ...unanswered, sent: null });
    setUnanswered(null);
  };
  const checking = useMutation({
    mutationFn: async () => find?.(id),
    onSuccess: async (isDone) => {
      mutation.reset();
      if (isDone === true) {
        forgetAndRenewId();
        showToast({ message: `${title}: done` });
        close();
      } else unlockInputs();
      await invalidateNouns(queries);
    },
  });
  // Idempotent actions without an id are safe to repeat, too. A live update may show the effect of the lost request and make `ready` false.
  const isSafeRepeat = Boolean(unanswered?.sent) || (retry === 'safe' && isUncertain(mutation.error));
  const canSend = ready || isSafeRepeat;
  const openDialog = (): void => {
    openings.current += 1;
    mutation.reset();
    checking.reset();
    setSecretShown(false);
    const attempt = actionKey === null ? null : findAttempt(tokenId, actionKey);
    setUnanswered(attempt);
    setId(attempt?.id ?? newIdempotencyId());
    resetForm();
    open();
    if (attempt !== null) void settleIfDone(attempt);
  };
  useImperativeHandle(ref, () => ({ open: openDialog }));
  const isPending = mutation.isPending || checking.isPending;
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (canSend && !isPending) mutation.mutate(inputs);
  };
  const { order } = useParams({ strict: false });
  // A scan confirms, fills the label field, or is refused. It opens no other order, because that would discard the input.
  useScans((text) => {
    const canConfirm = scanConfirms && ready && !danger && unanswered === null && !isPending && !mutation.isSuccess;
    if (text === order && canConfirm && form.current?.checkValidity() === true) return mutation.mutate(inputs);
    const labelField = form.current?.querySelector<HTMLInputElement>('[data-scan="label"]') ?? null;
    if (labelField !== null && isLabel(text)) return setValue(labelField, text);
    if (!isOrderNumber(text)) return refuseUnknownScan(text);
    refuseScan(text === order ? (!ready && notReadyReason) || 'Confirm with the button.' : `Close the dialog to open ${text}.`);
  }, opened);
  const unsaved = () => {
    if (mutation.isSuccess) return isSecretShown ? SECRET : null;
    const unread = form.current?.querySelector(`[${UNREAD}]`) ?? null;
    return !unanswered?.sent && (isChanged?.() === true || unread !== null) ? TYPED : null;
  };
  const colour = danger ? { color: 'red' } : {};
  const resultView = mutation.isSuccess ? result?.(mutation.data) : undefined;
  return (
    <>
      {isButtonShown && (
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
      <Dialog opened={opened} onClose={close} isLocked={isPending} unsaved={unsaved} title={title} size="lg">
        {resultView !== undefined ? (
          <ResultBody setSecretShown={setSecretShown}>{resultView}</ResultBody>
        ) : (
          <form ref={form} onSubmit={submit}>
            <Stack>
              <Offline />
              <Consequences sentences={unanswered?.sent?.consequences ?? consequences} />
              {unanswered?.sent ? (
                <Fieldset variant="unstyled" disabled>
                  <Stack>{unanswered.sent.inputs}</Stack>
                </Fieldset>
              ) : (
                inputs
              )}
              {unanswered !== null && !isUncertain(mutation.error) && <UnansweredAlert attempt={unanswered} />}
              {checking.data === false && unanswered === null && (
                <Alert color="yellow" role="alert" title="Not recorded">
                  You can change it and send it.
                </Alert>
              )}
              <ErrorAlert error={checking.error} />
              <ErrorAlert error={mutation.error} uncertain={UNCERTAIN[retry]} labels={labels} />
              <Group justify="flex-end">
                {!canSend && notReadyReason !== undefined && (
                  <Text size="sm" id={reasonId}>
                    {notReadyReason}
                  </Text>
                )}
                <Button variant="default" onClick={close} disabled={isPending}>
                  {cancel}
                </Button>
                {find === undefined && unanswered?.sent && (
                  <Button variant="default" onClick={unlockInputs} disabled={isPending}>
                    Change it
                  </Button>
                )}
                {find !== undefined && (unanswered !== null || isUncertain(mutation.error)) && (
                  <Button variant="default" onClick={() => checking.mutate()} loading={checking.isPending} disabled={mutation.isPending}>
                    Check
                  </Button>
                )}
                <Button
                  type="submit"
                  {...colour}
                  disabled={!canSend || checking.isPending}
                  loading={mutation.isPending}
                  {...(canSend ? {} : { 'aria-describedby': reasonId })}
                >
                  {mutation.error === null && !unanswered?.sent ? confirm : `${confirm}: send again`}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Dialog>
    </>
  );
}

const isUncertain = (error: unknown): boolean => error instanceof Refusal && error.isUncertain;
const isAboutSender = (error: unknown): boolean => error instanceof Refusal && error.isAboutSender;

/** A reopened dialog says what may already be done. */
function UnansweredAlert({ attempt: { sentAt, sent } }: { attempt: Attempt }) {
  return (
    <Alert color="yellow" role="alert" title="No answer yet">
      <Text size="sm">
        This was sent at <Time at={sentAt} /> and had no answer. {sent === null ? UNCERTAIN_INPUTS : UNCERTAIN.safe}
      </Text>
    </Alert>
  );
}

const UNCERTAIN_INPUTS = 'It may have been done. Sending the same again is safe; anything else is refused if it was done.';

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
  const resetInputs = (): void => {
    form.setInitialValues(initial());
    form.reset();
  };
  const field = <Name extends keyof Values & string>(name: Name) => ({
    ...form.getInputProps(name as never),
    value: form.values[name],
  });
  return {
    ...form,
    field,
    action: {
      ready: problem === undefined,
      notReadyReason: problem,
      resetInputs,
      values: form.values,
      restoreInputs: (values: Values) => form.setValues(values),
      isChanged: () => form.isDirty(),
    },
  };
}

/** A form of an Action that requires a reason. */
export const useReasonForm = () =>
  useActionForm(
    () => ({ reason: '' }),
    ({ reason }) => ({ reason: reason.trim() === '' && 'Enter a reason' }),
  );

/** Text with single spaces, without any around it. Pages write numbers such as an ABN with other spaces. */
export const singleSpaced = (typed: string): string => typed.replace(/\s+/g, ' ').trim();

/** Text without surrounding spaces; undefined if nothing is left. */
export const trimToUndefined = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed.trim());
