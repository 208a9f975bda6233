import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue, useTimeout } from '@mantine/hooks';
import { IconArrowBackUp, IconBarcode } from '@tabler/icons-react';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { orderQuery } from '../../api/reads';
import { invalidateNouns } from '../../live/nouns';
import { useEnvironment, useSetShownEnvironment } from '../../session/environment';
import { keepBadge } from '../../session/badge';
import { useTypedOnPage } from '../../session/open-dialogs';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { readBadge } from '../../shared/badge-code';
import { isOrderNumber, readNumber } from '../../shared/order-number';
import { displayStatus } from '../../shared/progress';
import { AttentionMessage, attentionWords, isForOffice } from '../../shared/attention';
import { STUDIO_COUNTRY } from '../../shared/address-lines';
import { Dialog } from '../../shared/dialog';
import { DueDate, ProgressNote, useNumberInAddress } from '../../shared/orders';
import { isLabel, useScans } from '../../shared/scans';
import { useSearchParams } from '../../shared/search-params';
import { stageSettingsQuery, useStages } from '../../shared/stage-settings';
import { StatusBadge, statusColor } from '../../shared/status';
import { statusLabel } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { useTitle } from '../../shared/title';
import { refuseScan, refuseUnknownScan, UNDO_MS } from '../../shared/toast';
import { playTone } from '../../shared/tone';
import { Attention, SpecialInstructions } from '../order/Alerts';
import { ArtworkNotes, Picture } from '../order/Lines';
import { holdOf, isHandover, type JobLine, type Order } from '../order/studio-order';
import { useBadgeScan, WhoWorks } from './WhoWorks';
import { type FailedStep, hasStep, NextStep, nextStepOf, PACKING, type StationStep, type StepHandle } from './NextStep';

/** Nouns of the queries that a step changes. */
const CHANGED = ['order', 'orders'];

/** The screen beside a printer or packing table: scan a job sheet, then confirm the next step. */
export function Station() {
  useTitle('Station');
  const navigate = useNavigate();
  const [{ order: number }] = useSearchParams();
  const [armed, setArmed] = useState<string | null>(null);
  const [recorded, setRecorded] = useState<StationStep | null>(null);
  const nextStep = useRef<StepHandle>(null);
  const scanField = useRef<HTMLInputElement>(null);
  /** Steps that failed after the next order was loaded. They keep their label until the order has its step. */
  const [failed, setFailed] = useState<readonly FailedStep[]>([]);
  useTypedOnPage(useIsMutating({ mutationKey: PACKING }) > 0 || failed.length > 0);
  /** @returns whether the order replaces the shown one */
  const load = (scanned: string): boolean => {
    const unsent = nextStep.current?.unsent() ?? null;
    if (scanned !== number && unsent !== null) {
      refuseScan(`${unsent === 'name' ? 'Complete' : 'Pack'} ${number} first, or clear its ${unsent}.`);
      return false;
    }
    playTone('orderLoaded');
    setArmed(scanned);
    void navigate({ to: '/station', search: { order: scanned }, replace: true });
    return true;
  };
  const scanLabel = (text: string): void => {
    if (!isLabel(text) || nextStep.current?.scanLabel(text) !== true) refuseUnknownScan(text);
  };
  const scanBadge = useBadgeScan();
  useScans((text) => {
    keepBadge();
    const badge = readBadge(text);
    if (badge !== null) scanBadge(badge);
    else if (!isOrderNumber(text)) scanLabel(text);
    else if (text === number && nextStep.current?.isSending() === true) playTone('refused');
    else if (text === number && text === armed) nextStep.current?.confirmByScan();
    else if (load(text)) scanField.current?.focus(); // not a field whose text Enter would send
  });
  const focusScanField = (): void => {
    if (document.activeElement === document.body) scanField.current?.focus();
  };
  return (
    // Inserted text needs the focus in a field, so a click beside the buttons returns it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <Stack onClick={focusScanField}>
      <Group justify="space-between">
        <Title order={1} size="h3">
          Station
        </Title>
        <WhoWorks />
        <Group>
          <ScanField ref={scanField} enter={() => nextStep.current?.confirmByScan()} />
          <NumberField load={load} />
        </Group>
      </Group>
      {recorded !== null && <Recorded key={recorded.id} step={recorded} />}
      {number === undefined ? (
        <Scan />
      ) : (
        <LoadedOrder
          key={number}
          number={number}
          isArmed={armed === number}
          nextStep={nextStep}
          scanField={scanField}
          disarm={() => setArmed(null)}
          failed={failed.find(({ orderNumber }) => orderNumber === number)}
          onFailed={(step) => setFailed((steps) => [...steps, step])}
          onFound={({ id }) => setFailed((steps) => steps.filter((step) => step.id !== id))}
          onRecorded={(step) => {
            setRecorded(step);
            setFailed((steps) => steps.filter(({ orderNumber }) => orderNumber !== step.orderNumber));
          }}
        />
      )}
    </Stack>
  );
}

/** Has the focus while no other field needs it, because scanners of tablets insert text only into a field. It keeps no text. */
function ScanField({ ref, enter }: { ref: React.Ref<HTMLInputElement>; enter: () => void }) {
  return (
    <TextInput
      ref={ref}
      aria-label="Scan"
      placeholder="Ready to scan"
      leftSection={<IconBarcode size={18} aria-hidden />}
      data-scan="only"
      inputMode="none"
      autoComplete="off"
      autoFocus
      onKeyDown={({ key, repeat }) => key === 'Enter' && !repeat && enter()}
    />
  );
}

function NumberField({ load }: { load: (number: string) => boolean }) {
  const [text, setText] = useState('');
  const [environment] = useEnvironment();
  const number = readNumber('order', text, environment);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (number !== null && load(number)) setText('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs">
        <TextInput
          aria-label="Order number"
          placeholder="P-10001"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={number === null}>
          Load
        </Button>
      </Group>
    </form>
  );
}

function Scan() {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" py={80}>
        <IconBarcode size={96} stroke={1} aria-hidden />
        <Text fz={28} fw={600}>
          Scan a job sheet
        </Text>
        <Text>Scan it again, or press Enter, to confirm the next step.</Text>
      </Stack>
    </Paper>
  );
}

/** After a change, the buttons take no press for this long: it can be a second tap, or one that was meant for another button. */
const SETTLE_MS = 600;

/** The last step, with its undo for ten seconds. Its space stays, so that the button of the next step does not move under a finger. */
function Recorded({ step }: { step: StationStep }) {
  const queries = useQueryClient();
  const [isOver, setOver] = useState(false);
  const [isSettled, setSettled] = useState(false);
  useTimeout(() => setSettled(true), SETTLE_MS, { autoInvoke: true });
  const { start, clear } = useTimeout(() => setOver(true), UNDO_MS, { autoInvoke: true });
  const undoing = useMutation({
    mutationFn: step.undo,
    onMutate: clear,
    onSuccess: async () => {
      playTone('undone');
      setOver(true);
      await invalidateNouns(queries, CHANGED);
    },
    onError: () => {
      playTone('refused');
      start();
    },
  });
  return (
    <Paper p="md" bg="green.9" c="white" role="status" style={{ visibility: isOver ? 'hidden' : 'visible' }}>
      <Group justify="space-between">
        <Text fz={24} fw={700}>
          ✓ {step.orderNumber} {step.words}
        </Text>
        <Button
          size="lg"
          color="white"
          c="black"
          leftSection={<IconArrowBackUp />}
          disabled={!isSettled}
          loading={undoing.isPending}
          onClick={() => undoing.mutate()}
        >
          Undo
        </Button>
      </Group>
      <ErrorAlert error={undoing.error} />
    </Paper>
  );
}

interface LoadedOrderProps extends Omit<React.ComponentProps<typeof NextStep>, 'order' | 'type' | 'isSettled' | 'ref'> {
  number: string;
  nextStep: React.Ref<StepHandle>;
  /** Called if the order has a step that seemed to fail. */
  onFound: (step: FailedStep) => void;
}

function LoadedOrder({ number, isArmed, disarm, nextStep, onFound, ...step }: LoadedOrderProps) {
  const navigate = useNavigate();
  const { data: order, error: orderError, isFetching, refetch: readOrder } = useQuery(orderQuery(number));
  // Without the stages, the next step would be the wrong one.
  const { data: stages, error: stagesError, refetch: readStages } = useQuery(stageSettingsQuery);
  const usedStages = useStages();
  const error = order === undefined ? orderError : stages === undefined ? stagesError : null;
  useSetShownEnvironment(order?.environment);
  useNumberInAddress(number, order, (loaded) => navigate({ to: '/station', search: { order: loaded }, hash: true, replace: true }));
  const type = order === undefined ? null : nextStepOf(order, usedStages);
  const state = order && stages && `${type} ${order.baseStatus} ${order.status} ${JSON.stringify(order.stageLines)}`;
  const [settledState] = useDebouncedValue(state, SETTLE_MS);
  /** The state in which the order was loaded. Its button takes a press at once. Null after the first change. */
  const [firstState, setFirstState] = useState<string | null>();
  if (firstState === undefined && state !== undefined) setFirstState(state);
  else if (typeof firstState === 'string' && state !== firstState) setFirstState(null);
  /** The state that the first scan showed, which the second one confirms. */
  const [scannedState, setScannedState] = useState<string>();
  const [hasChanged, setChanged] = useState(false);
  useEffect(() => {
    if (!isArmed) setScannedState(undefined);
    else if (scannedState === undefined) {
      setChanged(false);
      if (!isFetching) setScannedState(state);
    } else if (scannedState !== state) {
      setChanged(true);
      disarm();
      playTone('refused');
    }
  }, [isArmed, isFetching, scannedState, state, disarm]);
  useEffect(() => {
    if (error !== null) playTone('refused');
  }, [error]);
  const { failed } = step;
  useEffect(() => {
    if (failed !== undefined && order !== undefined && hasStep(order, failed.id)) onFound(failed);
  });
  if (order === undefined || stages === undefined)
    return error === null ? (
      <Loading what={`Loading ${number}`} />
    ) : (
      <ErrorAlert error={error} retry={() => void Promise.all([readOrder(), readStages()])} />
    );
  const color = `var(--mantine-color-${statusColor(displayStatus(order))}-6)`;
  return (
    <Paper withBorder p="lg" style={{ borderTop: `12px solid ${color}` }} component="section" aria-label={order.orderNumber}>
      {order.baseStatus === 'cancelled' && <Cancelled order={order} />}
      <Stack>
        <Group justify="space-between" align="flex-start">
          <Stack gap={4}>
            <Title order={2} fz={{ base: 48, sm: 84 }} lh={1} className="nowrap">
              {order.orderNumber}
            </Title>
            <Group gap="sm">
              <StatusBadge of={displayStatus(order)} />
              <ProgressNote of={order} />
              {order.rushTier !== 'standard' && <Badge color="red">{statusLabel(order.rushTier)} rush</Badge>}
              {order.dueDate !== null && (
                <Text>
                  Due <DueDate of={order} />
                </Text>
              )}
              <TextLink to="/orders/$order" params={{ order: number }} underline="always">
                Open order
              </TextLink>
              <Anchor href={`/studio/v1/orders/${number}/job-sheet.pdf`} target="_blank" size="sm">
                Job sheet (PDF)
              </Anchor>
            </Group>
          </Stack>
          <NextStep
            // What was entered stays if another person changes the order, but not for another step.
            key={`${type} ${type !== null && isHandover(order, type)}`}
            order={order}
            type={type}
            isSettled={state === settledState || state === firstState}
            isArmed={isArmed && scannedState === state}
            disarm={disarm}
            ref={nextStep}
            {...step}
          />
        </Group>
        <Delivery order={order} />
        {hasChanged && (
          <Alert role="alert" color="yellow">
            {number} was changed elsewhere. Scan it again to go on.
          </Alert>
        )}
        <Stops order={order} />
        <Attention order={{ ...order, attention: order.attention.filter(({ code }) => !isForOffice(code) && code !== REJECTED) }} />
        <SpecialInstructions order={order} fz="lg" />
        {order.job.lines.map((line, index) => (
          // The lines of an order never change.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} order={order} line={line} index={index} />
        ))}
      </Stack>
    </Paper>
  );
}

/** Who gets the order, and how. */
function Delivery({ order }: { order: Order }) {
  const { recipientName, reference, shipments, job } = order;
  const { city, state, postcode, country } = job.shippingAddress;
  const carriers = [...new Set(shipments.map(({ carrier }) => carrier ?? ''))].filter((carrier) => carrier !== '');
  const facts = {
    Recipient: recipientName,
    City: [city, state, postcode, ...(country === STUDIO_COUNTRY ? [] : [country])].join(' '),
    Method: job.shippingMethodName ?? 'None',
    Carrier: carriers.join(', '),
    'Client reference': reference ?? '',
  };
  return (
    <Group component="dl" my={0} gap={32} align="flex-start" className="wraps">
      {Object.entries(facts)
        .filter(([, value]) => value.trim() !== '')
        .map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm">
              {name}
            </Text>
            <Text component="dd" m={0} fz={{ base: 18, sm: 24 }} fw={700}>
              {value}
            </Text>
          </div>
        ))}
    </Group>
  );
}

/** Attention that is shown in red, as a hold. */
const REJECTED = 'ARTWORK_REJECTED';

/** The reason of a hold, and rejected artwork. */
function Stops({ order }: { order: Order }) {
  const { reason = null, note = null } = holdOf(order) ?? {};
  const texts = [reason ?? 'No reason for the client.', ...(note === null ? [] : [`Note: ${note}`])];
  return (
    <>
      {order.baseStatus === 'on_hold' && (
        <Stop title="On hold">
          {texts.map((text) => (
            <Text key={text} fz={20}>
              {text}
            </Text>
          ))}
        </Stop>
      )}
      {order.attention
        .filter(({ code }) => code === REJECTED)
        .map(({ message }) => (
          <Stop key={message} title={attentionWords(REJECTED).title}>
            <Text fz={20}>
              <AttentionMessage of={message} />
            </Text>
          </Stop>
        ))}
    </>
  );
}

function Stop({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Paper p="md" bg="red.9" c="white" component="section" aria-label={title} className="wraps">
      <Text fz={{ base: 24, sm: 36 }} fw={700} lh={1.2}>
        {title}
      </Text>
      {children}
    </Paper>
  );
}

/** Covers the screen, because work on a cancelled order must stop. A scan of another order replaces it. */
function Cancelled({ order }: { order: Order }) {
  const navigate = useNavigate();
  const close = (): void => void navigate({ to: '/station', search: {}, replace: true });
  return (
    <Dialog
      opened
      onClose={close}
      fullScreen
      withCloseButton={false}
      title={`${order.orderNumber} is cancelled`}
      styles={{
        content: { backgroundColor: 'var(--mantine-color-red-9)', color: 'white' },
        header: { backgroundColor: 'transparent', justifyContent: 'center', paddingTop: '20dvh' },
        title: { fontSize: 'min(84px, 11vw)', fontWeight: 700, lineHeight: 1.1 },
      }}
    >
      <Stack align="center" ta="center">
        {/* Not the button: the Enter of a scanner, or of a person who scans and goes on, would close it unread. */}
        <Text fz={24} tabIndex={-1} data-autofocus>
          {order.status === 'shipped' ? 'It was shipped before.' : 'Stop work on it, and ship nothing.'}
        </Text>
        <Button size="lg" color="white" c="black" onClick={close}>
          Close order
        </Button>
        <TextLink to="/orders/$order" params={{ order: order.orderNumber }} underline="always" c="inherit">
          Open order
        </TextLink>
      </Stack>
    </Dialog>
  );
}

function Line({ order, line, index }: { order: Order; line: JobLine; index: number }) {
  return (
    <Group align="flex-start" wrap="nowrap" component="article" aria-label={`Line ${index + 1}`}>
      <Picture order={order} line={line} index={index} w={{ base: 120, sm: 260 }} />
      <Stack gap={4}>
        <Text fz={{ base: 20, sm: 28 }} fw={700}>
          {line.quantity} × {line.productName}
        </Text>
        {line.words.map(({ label, value }) => (
          <Text key={label} fz={{ base: 16, sm: 20 }}>
            {label}: <b>{value}</b>
          </Text>
        ))}
        {line.externalReference !== null && (
          <Text fz={{ base: 16, sm: 20 }} className="wraps">
            Client reference: <b>{line.externalReference}</b>
          </Text>
        )}
        <ArtworkNotes line={line} fz={{ base: 16, sm: 20 }} />
      </Stack>
    </Group>
  );
}
