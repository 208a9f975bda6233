import { Alert, Anchor, Group, ScrollArea, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Refusal } from '../../api/refusal';
import { ask, page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { EndpointHealth } from '../../endpoints/EndpointHealth';
import { type FaringEndpoint, judged } from '../../endpoints/judgement';
import { type Endpoint, errorWords, eventWords, hostOf, webhooks, whatHelps } from '../../endpoints/words';
import { useShows } from '../../session/environment';
import { useMay } from '../../session/session';
import { Action } from '../../shared/action';
import { Copy, Id } from '../../shared/copy';
import { AccountLink, NamedOrderLink } from '../../shared/orders';
import { FactList } from '../../shared/part';
import { Section } from '../../shared/section';
import { colourOf, Status } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { Attempts } from './Attempts';
import { OfficeOnly } from './Deliveries';
import { To } from '../../shared/to';

export function Delivery() {
  if (useMay('office')) return <Opened />;
  return (
    <Stack>
      <Title order={1} size="h2">
        Delivery
      </Title>
      <OfficeOnly />
    </Stack>
  );
}

function Opened() {
  const { delivery: id = '' } = useParams({ strict: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => ask(studio.GET('/deliveries/{id}', { params: { path: { id } } })),
  });
  const endpoint = useEndpoint(data?.endpointId);
  const faring = useFaring(data);
  useTitle(data === undefined ? 'Delivery' : `${eventWords(data.eventType)}, ${data.orderNumber}`);
  useShows(data?.environment);
  if (isPending) return <Waiting what="Opening the delivery" />;
  if (data === undefined) return <Refused error={error} retry={() => void refetch()} />;
  return (
    <Stack>
      <Head delivery={data} />
      <Standing delivery={data} endpoint={endpoint.data ?? null} isDeleted={endpoint.isDeleted} />
      <Group gap="xs">
        <Resend delivery={data} endpoint={endpoint.data ?? null} isDeleted={endpoint.isDeleted} />
        {data.workflowUrl !== null && (
          <Anchor href={data.workflowUrl} target="_blank" rel="noreferrer" size="sm">
            Its workflow in Temporal
          </Anchor>
        )}
      </Group>
      <Refused error={error} retry={() => void refetch()} />
      <Facts delivery={data} />
      <Attempts delivery={data} />
      <Receiver endpoint={endpoint.data ?? null} faring={faring} isDeleted={endpoint.isDeleted} error={endpoint.error} />
      <Body delivery={data} />
    </Stack>
  );
}

function Head({ delivery: { eventType, orderNumber, state } }: { delivery: Of<'DeliveryDetail'> }) {
  return (
    <Stack gap={4}>
      <To to="/deliveries" size="sm">
        All deliveries
      </To>
      <Group gap="sm">
        <Title order={1} size="h2">
          {eventWords(eventType)}, {orderNumber}
        </Title>
        <Status of={state} />
      </Group>
      <Text className="mono quiet">{eventType}</Text>
    </Stack>
  );
}

/** Null while it is asked for; the API has none for an endpoint that was deleted. */
function useEndpoint(id: string | undefined) {
  const { data, error } = useQuery({
    queryKey: ['endpoints', 'one', id],
    queryFn: () => ask(studio.GET('/webhook-endpoints/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });
  const isDeleted = error instanceof Refusal && error.status === 404;
  return { data, isDeleted, error: isDeleted ? null : error };
}

/** How its endpoint fares, which the list of its account's tells; null until then, and of one that was deleted. */
function useFaring(delivery: Of<'DeliveryDetail'> | undefined) {
  const { accountId = '', environment = 'live', endpointId } = delivery ?? {};
  const { data } = useQuery({
    queryKey: ['endpoints', 'of', accountId, environment],
    queryFn: () => page(studio.GET('/webhook-endpoints', { params: { query: { accountId, environment, limit: 100 } } })),
    enabled: delivery !== undefined,
  });
  return data?.rows.find(({ id }) => id === endpointId) ?? null;
}

interface StandingProps {
  delivery: Of<'DeliveryDetail'>;
  endpoint: Endpoint | null;
  isDeleted: boolean;
}

function Standing(props: StandingProps) {
  const { state, lastErrorCode, lastStatus } = props.delivery;
  const helps = state === 'delivered' || lastErrorCode === null ? null : whatHelps(lastErrorCode);
  return (
    <Alert color={colourOf(state)} variant="light" role="status">
      <Text size="sm">
        <What {...props} />
      </Text>
      {state !== 'delivered' && lastErrorCode !== null && (
        <Text size="sm">
          Why: {errorWords(lastErrorCode, lastStatus)}. {helps}
        </Text>
      )}
    </Alert>
  );
}

function What({ delivery, endpoint, isDeleted }: StandingProps) {
  switch (delivery.state) {
    case 'delivered':
      return (
        <>
          It arrived at <When at={delivery.completedAt} />, {arrivedWith(delivery)}. Nothing more happens.
        </>
      );
    case 'pending':
      return <Pending delivery={delivery} />;
    case 'failed':
      return (
        <>
          Given up at <When at={delivery.completedAt} /> after {times(delivery.attemptCount)}
          <Lasted delivery={delivery} />
          {sinceOf(delivery)}. Nothing more happens by itself: once their server works, resend it, or recover all of its endpoint.
        </>
      );
    case 'held':
      return <>{heldWords(endpoint, isDeleted)}</>;
  }
}

function Pending({ delivery: { attemptCount, attemptsInChain, nextAttemptAt, lastAttemptDueAt, chain } }: Pick<StandingProps, 'delivery'>) {
  if (attemptCount === 0) return <>{chain > 1 ? 'It is about to be sent again.' : 'It is about to be sent for the first time.'}</>;
  return (
    <>
      Tried {attemptCount} of {Math.max(attemptsInChain, attemptCount)} times{sinceOf({ chain })}; the next attempt is at{' '}
      <When at={nextAttemptAt} />. If none arrives it is given up at <When at={lastAttemptDueAt} />.
    </>
  );
}

function Lasted({ delivery: { attempts, chain } }: Pick<StandingProps, 'delivery'>) {
  const own = attempts.filter((attempt) => attempt.chain === chain);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return <> over {lasting(Date.parse(last.at) - Date.parse(first.at))}</>;
}

function heldWords(endpoint: Endpoint | null, isDeleted: boolean): string {
  if (isDeleted) return 'Held: its endpoint was deleted before it arrived. Nothing more happens.';
  if (endpoint?.state === 'enabled')
    return 'Held while its endpoint was disabled. It is enabled again, but what was held is not sent by itself: resend it, or recover all of its endpoint.';
  return 'Held: its endpoint is disabled, so nothing is sent there and nothing is lost. Enable the endpoint below, then recover what is held.';
}

const times = (count: number): string => (count === 1 ? 'one attempt' : `${count} attempts`);
const FIRST = ['first', 'second', 'third'] as const;

/** Attempts are numbered over all there were, which is how they are counted below; after a resend those of before count no longer. */
function arrivedWith({ attempts, attemptCount, chain }: StandingProps['delivery']): string {
  if (chain === 1) return attemptCount === 1 ? 'with the first attempt' : `with attempt ${attemptCount}`;
  const nth = FIRST[attemptCount - 1] ?? `${attemptCount}th`;
  return `with attempt ${Math.max(attempts.length, attemptCount)}, the ${nth} after it was sent again`;
}

const sinceOf = ({ chain }: { chain: number }): string => (chain > 1 ? ' since it was sent again' : '');

function lasting(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `about ${Math.round(minutes / 60)} hours`;
}

function Resend({ delivery, endpoint, isDeleted }: StandingProps) {
  if (isDeleted) return null;
  const host = hostOf(delivery.endpointUrl);
  const isDisabled = endpoint?.state === 'disabled';
  return (
    <Action
      label="Resend"
      title={`Resend "${eventWords(delivery.eventType)}" of ${delivery.orderNumber}`}
      says={[
        `${host} is sent the same event with the same id again. A receiver that has it already takes it once.`,
        `It is tried up to ${delivery.attemptsInChain} times, as if it were new.`,
        ...(isDisabled ? ['Its endpoint is disabled: enable it first.'] : []),
      ]}
      run={() => ask(studio.POST('/deliveries/{id}/resend', { params: { path: { id: delivery.id } } }))}
      done={() => `It is sent to ${host} again`}
      ready={!isDisabled}
      button={{ variant: 'filled' }}
    />
  );
}

function Facts({ delivery }: { delivery: Of<'DeliveryDetail'> }) {
  const { orderNumber, accountId, accountName, endpointUrl, eventId, sequence, createdAt, id } = delivery;
  return (
    <FactList
      facts={{
        Order: <OfOrder number={orderNumber} sequence={sequence} />,
        Account: <AccountLink id={accountId} name={accountName} />,
        Server: <span title={endpointUrl}>{hostOf(endpointUrl)}</span>,
        Created: <When at={createdAt} />,
        Event: <Id of={eventId} />,
        Delivery: <Id of={id} />,
      }}
    />
  );
}

function OfOrder({ number, sequence }: { number: string; sequence: number }) {
  return (
    <>
      <NamedOrderLink order={number}>{number}</NamedOrderLink>, its event number {sequence}
    </>
  );
}

interface ReceiverProps {
  endpoint: Endpoint | null;
  /** The same with how it fares; null where that is not known. */
  faring: FaringEndpoint | null;
  isDeleted: boolean;
  error: unknown;
}

function Receiver({ endpoint, faring, isDeleted, error }: ReceiverProps) {
  return (
    <Section title="Its endpoint" size="h4">
      <Refused error={error} />
      {isDeleted && <Text size="sm">It was deleted: nothing is sent there any more.</Text>}
      {endpoint !== null && <There endpoint={endpoint} faring={faring} />}
    </Section>
  );
}

function There({ endpoint, faring }: { endpoint: Endpoint; faring: FaringEndpoint | null }) {
  const { id, url, state, deliveries } = endpoint;
  return (
    <>
      <Group gap="sm">
        <span className="mono">{url}</span>
        <Status of={faring === null ? state : judged(faring)} />
      </Group>
      {faring !== null && <EndpointHealth endpoint={faring} />}
      <Text size="sm">
        {faring === null && `${webhooks(deliveries.failed)} given up, ${webhooks(deliveries.held)} held. `}
        <To to="/deliveries" search={{ endpoint: id }} size="sm" underline="always">
          All of its deliveries
        </To>
      </Text>
      <EndpointActions endpoint={endpoint} pending={faring?.health.pending ?? 0} />
    </>
  );
}

function Body({ delivery: { event } }: { delivery: Of<'DeliveryDetail'> }) {
  return (
    <Section title="What was sent" size="h4">
      <Tabs defaultValue="read" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="read">To read</Tabs.Tab>
          <Tabs.Tab value="raw">As it is signed</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="read" pt="xs">
          <Verbatim label="What was sent, laid out" text={laidOut(event.rawBody)} />
        </Tabs.Panel>
        <Tabs.Panel value="raw" pt="xs">
          <Stack gap="xs">
            <Group>
              <Text size="sm">Every attempt sends this very text; the signature is of it, to the last character.</Text>
              <Copy text={event.rawBody} />
            </Group>
            <Verbatim label="What was sent, as it is signed" text={event.rawBody} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}

function Verbatim({ label, text }: { label: string; text: string }) {
  return (
    <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <pre className="mono verbatim">{text}</pre>
    </ScrollArea.Autosize>
  );
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
