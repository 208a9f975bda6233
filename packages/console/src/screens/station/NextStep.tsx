import { Alert, Box, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { Refusal } from '../../api/refusal';
import { newIdempotencyId } from '../../shared/action';
import { invalidateNouns } from '../../live/nouns';
import { keepBadge } from '../../session/badge';
import { rememberCarrier, useParcelLabel } from '../../shared/carriers';
import { AskBeforeLeaving } from '../../shared/dialog';
import { ErrorAlert } from '../../shared/feedback';
import { LineChoice } from '../../shared/line-choice';
import { isOrderNumber } from '../../shared/order-number';
import type { LabelledParcel } from '../../shared/parcel-label';
import { unpackedOf } from '../../shared/progress';
import { isTextField } from '../../shared/scans';
import { isStage, type OptionalStage, openLines } from '../../shared/stages';
import { refuseScan, showFailure } from '../../shared/toast';
import { playTone } from '../../shared/tone';
import { sendParcel, TrackingWarning, useTrackingNumberCheck, voidParcel } from '../order/actions/AddParcel';
import { readOrder, sendMilestone, undoMilestone } from '../order/actions/Milestone';
import { piecesOf } from '../order/actions/Pieces';
import { usualNextAction } from '../order/next';
import { scanRefusal } from '../order/scan-refusal';
import { actionOf, isHandover, isOpen, MAX_NAME_LENGTH, type Order } from '../order/studio-order';
import { linesInWords } from '../order/words';

import { BADGE_SCAN } from './WhoWorks';

/** The label of the button, and the words after it was pressed. */
const STEPS = {
  production_started: ['Start', 'started'],
  printed: ['Printed', 'printed'],
  framed: ['Framed', 'framed'],
  checked: ['Checked', 'checked'],
  ready: ['Ready', 'ready'],
  parcel_added: ['Pack', 'packed'],
  released: ['Release', 'released'],
  completed: ['Complete', 'completed'],
} as const;
type StepType = keyof typeof STEPS;

/** A recorded step. */
export interface StationStep {
  id: string;
  orderNumber: string;
  words: string;
  undo: () => Promise<unknown>;
}

/** A step that was not recorded. Sending it again needs the same id. */
export interface FailedStep {
  id: string;
  type: StepType;
  orderNumber: string;
  /** The tracking number or the name. */
  entered: string;
  carrier: string | null;
  /** The chosen lines of a stage; empty means all. */
  lines: readonly number[];
}

/** Whether the order has the milestone or parcel of a step. */
export const hasStep = ({ timeline, parcels }: Order, id: string): boolean =>
  timeline.some(({ milestoneId, outcome }) => milestoneId === id && outcome === 'applied') ||
  parcels.some(({ parcelId }) => parcelId === id);

/** The mutation key of steps that have a label or a name. */
export const PACKING = ['packing'];

export interface StepHandle {
  /** Confirms the step, or says why a scan cannot. */
  confirmByScan: () => void;
  scanLabel: (text: string) => boolean;
  /** A scan before the answer could only confirm a state that is about to change. */
  isSending: () => boolean;
  /** The label or name that was entered and is neither sent nor being sent; null without one. */
  unsent: () => 'tracking number' | 'name' | null;
}

interface NextStepProps {
  order: Order;
  /** The usual next step; null for none. */
  type: StepType | null;
  /** The order has not changed within the last moment, so the button takes a press. */
  isSettled: boolean;
  /** The order was just scanned, so Enter confirms. */
  isArmed: boolean;
  /** Called before a step is sent. The next step needs another scan. */
  disarm: () => void;
  onRecorded: (step: StationStep) => void;
  /** The step failed earlier, while another order was shown. */
  failed: FailedStep | undefined;
  /** Called if another order is shown when the step fails. */
  onFailed: (step: FailedStep) => void;
  /** Gets the focus when no other field needs it. */
  scanField: React.RefObject<HTMLInputElement | null>;
  /** `scanLabel` returns whether the step needs a label. */
  ref: React.Ref<StepHandle>;
}

/** The button for the next step of the order. Packing also asks for the tracking number, and a collection for the name. */
export function NextStep({ order, type, isSettled, isArmed, disarm, onRecorded, failed, onFailed, scanField, ref }: NextStepProps) {
  const queries = useQueryClient();
  const repeated = failed?.type === type ? failed : undefined;
  const [id, setId] = useState(repeated?.id ?? newIdempotencyId);
  const [text, setText] = useState(repeated?.entered ?? '');
  const isPack = type === 'parcel_added';
  /** Null proposes the carrier of the label. */
  const [carrier, setCarrier] = useState(repeated?.carrier ?? null);
  const parcelLabel = useParcelLabel(isPack ? text : '', carrier);
  const entered = isPack ? parcelLabel.trackingNumber : text.trim();
  const [chosen, setChosen] = useState<number[]>([...(repeated?.lines ?? [])]);
  const open = type !== null && isStage(type) ? openLines(order, type) : [];
  const lines = chosen.filter((line) => open.includes(line));
  /** Another person recorded the chosen lines. No chosen line would mean all. */
  const areLinesDone = chosen.length > 0 && lines.length === 0;
  const duplicateCheck = useTrackingNumberCheck(order, parcelLabel.trackingNumber);
  const reason = type === null ? null : actionOf(order, type).reason;
  const isRefused = type === null || reason !== null;
  const toRead = isRefused ? null : scanRefusal(order, type);
  const hasName = type !== null && isHandover(order, type);
  const [label, past] = type === null ? [] : hasName ? ['Collected', 'collected'] : STEPS[type];
  const isBlocked =
    areLinesDone ||
    (hasName && entered === '') ||
    (isPack && (entered === '' || isOrderNumber(text.trim()) || (duplicateCheck.duplicates.length > 0 && !duplicateCheck.isConfirmed)));
  const hasLoadError = parcelLabel.loadError !== null;
  const isChecking = isPack && !isBlocked && !(parcelLabel.isReady && duplicateCheck.isReady);
  /** The label that was confirmed before its check ended, with the order's state. A label that is scanned meanwhile is not confirmed. */
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const entry = JSON.stringify([text, carrier, order.baseStatus, order.parcels.length]);
  const isConfirmed = confirmed === entry;
  const control = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const recording = useMutation({
    ...((isPack || hasName) && { mutationKey: PACKING }),
    mutationFn: async (sentLines: readonly number[]) => {
      try {
        if (isPack) return await recordParcel(order, id, parcelLabel);
        return await recordMilestone(order, id, type, { lines: sentLines, signedBy: entered });
      } catch (error) {
        const isUncertain = error instanceof Refusal && error.isUncertain;
        const now = isUncertain ? await readOrder(order).catch(() => null) : null;
        if (now === null || !hasStep(now, id)) throw error;
        return now; // only the answer was lost
      }
    },
    onMutate: disarm,
    onSuccess: (changed, sentLines) => {
      playTone('done');
      keepBadge();
      setId(newIdempotencyId());
      setText('');
      setCarrier(null);
      setChosen([]);
      if (isPack) rememberCarrier(parcelLabel.carrier);
      if (past !== undefined)
        onRecorded({
          id,
          orderNumber: order.orderNumber,
          words: `${past}${sentLines.length > 0 ? `: ${linesInWords(sentLines)}` : ''}`,
          undo: () => (isPack ? voidParcel : undoMilestone)(order.orderId, id),
        });
      queries.setQueryData(['order', order.orderNumber], changed);
      void invalidateNouns(queries, ['order', 'orders']); // a scan for the next step does not wait for it
    },
    onError: (error, sentLines) => {
      playTone('refused');
      if (error instanceof Refusal && !error.isUncertain && !error.isAboutSender) setId(newIdempotencyId());
      if (type === null || button.current !== null) return;
      // Another order or page is shown.
      onFailed({ id, type, orderNumber: order.orderNumber, entered, carrier: parcelLabel.carrier ?? '', lines: sentLines });
      showFailure(`${order.orderNumber} was not ${past}${isPack ? ` with ${entered}` : ''}: ${error.message}`);
    },
  });
  const isReadingBadge = useIsMutating({ mutationKey: BADGE_SCAN }) > 0;
  const isUnsent = entered !== '' && !recording.isPending;
  const { mutate } = recording;
  const confirm = (): void => {
    if (isBlocked || isRefused || isReadingBadge || recording.isPending) playTone('refused');
    else if (isChecking) setConfirmed(entry);
    else mutate(lines);
  };
  useEffect(() => {
    if (!isConfirmed || (isChecking && !hasLoadError)) return;
    setConfirmed(null);
    if (!isBlocked && !isChecking) mutate([]);
  }, [isConfirmed, isChecking, hasLoadError, isBlocked, mutate]);
  const { reset: resetRecording, isPending } = recording;
  const isRecorded = !isPending && hasStep(order, id);
  useEffect(() => {
    if (!isRecorded) return;
    // Its answer was lost, and the order has the step.
    setId(newIdempotencyId());
    setText('');
    setCarrier(null);
    setChosen([]);
    resetRecording();
  }, [isRecorded, resetRecording]);
  useImperativeHandle(ref, () => ({
    confirmByScan: () => {
      const refusal = isRefused ? (reason ?? nothingToDo(order)) : toRead;
      if (refusal !== null) refuseScan(`${order.orderNumber}: ${refusal}.`);
      else if (isArmed) confirm();
      else playTone('refused');
    },
    scanLabel: (scanned) => {
      if (isPack) setText(scanned);
      return isPack;
    },
    isSending: () => recording.isPending,
    unsent: () => (isUnsent ? (hasName ? 'name' : 'tracking number') : null),
  }));
  useEffect(() => {
    const focused = document.activeElement;
    if (isTextField(focused) && focused.value !== '') return; // the keys of a person who types would go elsewhere
    if (isArmed && (isPack || hasName)) control.current?.focus();
    else if (isArmed || focused === document.body) scanField.current?.focus();
  }, [isArmed, isPack, hasName, scanField]);
  // The button of a step that stays the next one loses the focus while it takes no press.
  useEffect(() => {
    if (isSettled && document.activeElement === document.body) scanField.current?.focus();
  }, [isSettled, scanField]);
  const { reset } = duplicateCheck;
  useEffect(reset, []); // oxlint-disable-line react/exhaustive-deps -- starts the check once
  if (type === null) return <Text fz="lg">{nothingToDo(order)}</Text>;
  return (
    <Box
      component="form"
      w={{ base: '100%', sm: 'auto' }}
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        confirm();
      }}
    >
      <AskBeforeLeaving isTyped={isUnsent} />
      <Stack gap="xs" align="stretch" miw={260}>
        {isPack && (
          <TextInput
            ref={control}
            size="lg"
            label="Tracking number"
            placeholder="Scan the carrier’s label"
            data-scan="label"
            autoComplete="off"
            maxLength={200}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {hasName && (
          <TextInput
            ref={control}
            size="lg"
            label="Collected by"
            placeholder="Name of the person"
            data-scan="name"
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {isPack && (
          <NativeSelect
            label="Carrier"
            data={[
              { value: '', label: 'No carrier' },
              ...new Set([...parcelLabel.texts, ...(parcelLabel.carrier ? [parcelLabel.carrier] : [])]),
            ]}
            value={parcelLabel.carrier ?? ''}
            onChange={(event) => setCarrier(event.currentTarget.value)}
          />
        )}
        <TrackingWarning order={order} check={duplicateCheck} />
        {isPack && <ErrorAlert error={parcelLabel.loadError} retry={parcelLabel.retry} />}
        {areLinesDone && !recording.isPending && (
          <Alert role="alert" color="yellow">
            <Text size="sm">Recorded elsewhere: {linesInWords(chosen)}.</Text>
            <Button
              variant="default"
              mt="xs"
              onClick={() => {
                setChosen([]);
                scanField.current?.focus();
              }}
            >
              Choose the rest
            </Button>
          </Alert>
        )}
        <LineChoice lines={open} jobLines={order.job.lines} chosen={lines} onChange={setChosen} />
        <Button
          ref={button}
          type="submit"
          size="xl"
          h={96}
          fz={36}
          disabled={isBlocked || isRefused || isReadingBadge || !isSettled}
          loading={recording.isPending || isConfirmed}
          // A held Enter must not confirm the next step too.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {label}
        </Button>
        {reason !== null && <Text>{reason}</Text>}
        {!isRefused && <Text size="sm">{instructionOf(isArmed, isPack && entered === '', toRead)}</Text>}
        <ErrorAlert error={recording.error} />
      </Stack>
    </Box>
  );
}

function instructionOf(isArmed: boolean, needsLabel: boolean, toRead: string | null): string {
  if (toRead !== null) return `${toRead}.`;
  if (needsLabel) return 'Scan the carrier’s label, then press Enter.';
  return isArmed ? 'Scan again or press Enter to confirm.' : 'Press the button, or scan the job sheet.';
}

const nothingToDo = ({ baseStatus }: Order): string => (baseStatus === 'cancelled' ? 'The order is cancelled' : 'Nothing to do');

export function nextStepOf(order: Order, stages: readonly OptionalStage[]): StepType | null {
  const type = usualNextAction(order, stages);
  return type !== null && type in STEPS && (isOpen(actionOf(order, type)) || type === 'parcel_added') ? (type as StepType) : null;
}

/** @param lines the chosen lines; none means all */
async function recordMilestone(
  order: Order,
  milestoneId: string,
  type: StepType | null,
  { lines, signedBy }: { lines: readonly number[]; signedBy: string },
): Promise<Order> {
  if (type === null || type === 'parcel_added') throw new Error('no milestone');
  return sendMilestone(order, {
    milestoneId,
    type,
    ...(lines.length > 0 && { lines: [...lines] }),
    ...(signedBy !== '' && { signedBy }),
  });
}

/** A parcel with all pieces that are in no other parcel. */
function recordParcel(order: Order, parcelId: string, label: LabelledParcel): Promise<Order> {
  const { trackingNumber, carrier, trackingUrl } = label;
  const lines = piecesOf(unpackedOf(order));
  return sendParcel(order, { parcelId, trackingNumber, carrier, trackingUrl, ...(lines.length > 0 && { lines }) });
}
