import { Checkbox, Group, Progress, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../api/refusal';
import { ask, page, studio } from '../api/studio';
import type { Of } from '../api/types';
import { Action, Offered } from '../shared/action';
import { given, useFields } from '../shared/fields';
import { capital } from '../shared/status';
import { Refused, Waiting } from '../shared/told';
import { ChangeEvents } from './event-types';
import { Recover } from './Recover';
import { AddressInput, NewSecret } from './Register';
import { type Endpoint, errorWords, hostOf, type Named, webhooks, whatHelps } from './words';

interface ActionsProps {
  endpoint: Endpoint;
  pending?: number;
  all?: boolean;
}

/** What can be done to a client's endpoint when its webhooks do not arrive; with `all`, also what changes it. */
export function EndpointActions({ endpoint, pending = 0, all = false }: ActionsProps) {
  return (
    <Group gap="xs" role="group" aria-label={`What can be done with ${hostOf(endpoint.url)}`}>
      <Ping endpoint={endpoint} />
      {endpoint.state === 'disabled' && <Enable endpoint={endpoint} />}
      <Offered value={endpoint.state === 'enabled' && pending > 0}>
        <SendWaiting endpoint={endpoint} />
      </Offered>
      <Recover endpoint={endpoint} />
      {all && (
        <>
          <ChangeAddress endpoint={endpoint} />
          <ChangeEvents endpoint={endpoint} />
          <NewSecret endpoint={endpoint} />
        </>
      )}
      {endpoint.state === 'enabled' && <Disable endpoint={endpoint} />}
      {all && <Remove endpoint={endpoint} />}
    </Group>
  );
}

function Ping({ endpoint }: { endpoint: Named }) {
  const host = hostOf(endpoint.url);
  return (
    <Action
      label="Ping"
      title={`Ping ${host}`}
      says={[
        `A signed test message goes to ${host} now, and you see what comes back.`,
        'It is of no order, their shop hears nothing new, and it counts for nothing.',
      ]}
      run={() => ask(studio.POST('/webhook-endpoints/{id}/ping', { params: { path: { id: endpoint.id } } }))}
      done={(came) => (came.ok ? `${host} answered ${came.status}: it works` : `${host}: ${errorWords(came.errorCode ?? '', came.status)}`)}
      result={showPing}
    />
  );
}

const showPing = (came: Of<'PingResult'>) => <PingResult came={came} />;

function PingResult({ came }: { came: Of<'PingResult'> }) {
  const helps = came.errorCode === null ? null : whatHelps(came.errorCode);
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>
        {came.ok
          ? `It arrived: their server answered ${came.status}`
          : `It did not arrive: ${errorWords(came.errorCode ?? '', came.status)}`}
      </Text>
      <Text size="sm">
        After {came.totalMs.toLocaleString('en-AU')} ms.{helps === null ? '' : ` ${capital(helps)}`}
      </Text>
      <Reply text={came.replyExcerpt} />
    </Stack>
  );
}

/** The first of what their server answered, as text whatever it is. */
export function Reply({ text }: { text: string | null }) {
  if (text === null) return <Text size="sm">Nothing came back.</Text>;
  if (text === '') return <Text size="sm">The answer was empty.</Text>;
  return (
    <ScrollArea.Autosize mah={180} type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'What their server answered' }}>
      <pre className="mono verbatim">{text}</pre>
    </ScrollArea.Autosize>
  );
}

function Enable({ endpoint }: { endpoint: Pick<Endpoint, 'id' | 'url' | 'state' | 'deliveries'> }) {
  const { fields, checkbox, clear } = useFields(() => ({ skipPing: false }));
  const host = hostOf(endpoint.url);
  const { held } = endpoint.deliveries;
  return (
    <Action
      label="Enable"
      title={`Enable ${host}`}
      says={[
        `A ping goes to ${host} first. Where that fails, it stays disabled and you see why.`,
        'Then whatever happens to orders from now on is sent there again.',
        held === 0
          ? 'Nothing was held meanwhile, so nothing else is sent.'
          : `${webhooks(held)} held meanwhile ${held === 1 ? 'is' : 'are'} not sent by enabling it: "Recover" sends ${held === 1 ? 'it' : 'them'} afterwards.`,
      ]}
      repeats="safely"
      run={() => enable(endpoint.id, fields.skipPing)}
      done={() => `${host} is enabled`}
      onOpen={clear}
    >
      <Checkbox label="Enable it without trying it first" {...checkbox('skipPing')} />
    </Action>
  );
}

/** @throws Refusal, of a ping that failed in words that lead on. */
async function enable(id: string, skipPing: boolean): Promise<Endpoint> {
  try {
    return await ask(studio.POST('/webhook-endpoints/{id}/enable', { params: { path: { id } }, body: skipPing ? { skipPing } : {} }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'ENDPOINT_UNREACHABLE') throw error;
    const { errorCode, status } = (error.details ?? {}) as { errorCode?: string | null; status?: number | null };
    const why = errorWords(errorCode ?? '', status);
    const words = `It stays disabled, as the ping failed: ${why}. ${whatHelps(errorCode ?? '') ?? ''} Tick the box to enable it all the same.`;
    throw new Refusal(error.code, words, error.status, error.details);
  }
}

function Disable({ endpoint }: { endpoint: Named }) {
  const { fields, typed, clear } = useFields(() => ({ reason: '' }));
  const host = hostOf(endpoint.url);
  return (
    <Action
      label="Disable"
      title={`Disable ${host}`}
      says={[
        `Nothing is sent to ${host} any more until somebody enables it. The client is not told.`,
        'What is still being tried, and what happens from now on, is held for them: nothing is lost.',
      ]}
      repeats="safely"
      run={() =>
        ask(
          studio.POST('/webhook-endpoints/{id}/disable', {
            params: { path: { id: endpoint.id } },
            body: { reason: given(fields.reason) },
          }),
        )
      }
      done={() => `${host} is disabled`}
      onOpen={clear}
      danger
    >
      <TextInput label="Why" description="Shown with the endpoint; may be left empty." maxLength={200} {...typed('reason')} />
    </Action>
  );
}

function ChangeAddress({ endpoint }: { endpoint: Named }) {
  const { fields, typed, clear } = useFields(() => ({ url: endpoint.url }));
  const url = fields.url.trim();
  return (
    <Action
      label="Change address"
      labels={{ url: 'Address' }}
      title={`Change the address of ${hostOf(endpoint.url)}`}
      says={[
        'The next attempt goes to the new address, also of what is being tried already.',
        'The secret stays as it is, and the client is not told.',
      ]}
      repeats="safely"
      run={() => ask(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } }, body: { url } }))}
      done={(changed) => `Webhooks go to ${hostOf(changed.url)} now`}
      onOpen={clear}
      ready={url !== '' && url !== endpoint.url}
    >
      <AddressInput {...typed('url')} />
    </Action>
  );
}

function Remove({ endpoint }: { endpoint: Named }) {
  const host = hostOf(endpoint.url);
  return (
    <Action
      label="Delete"
      title={`Delete ${host}`}
      says={[
        `Nothing is ever sent to ${host} again, and this cannot be taken back. The client is not told.`,
        'What was sent stays in the list of deliveries; what was still being tried is held there.',
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } } }))}
      done={() => `${host} is deleted`}
      danger
    />
  );
}

/** Of one go; whoever has more does it again. */
const AT_ONCE = 100;

function SendWaiting({ endpoint }: { endpoint: Named }) {
  const [isOpen, setIsOpen] = useState(false);
  const [sent, setSent] = useState(0);
  const { data, error, isPending, refetch } = useWaitingAt(endpoint.id, isOpen);
  const host = hostOf(endpoint.url);
  const ids = data?.ids ?? [];
  const run = async (): Promise<number> => {
    // After a refusal it goes on where it stopped.
    for (let at = sent; at < ids.length; at++) {
      await ask(studio.POST('/deliveries/{id}/resend', { params: { path: { id: ids[at] ?? '' } } }));
      setSent(at + 1);
    }
    return ids.length;
  };
  return (
    <Action
      label="Send all waiting now"
      title={`Send ${host} what waits`}
      says={[
        `What did not arrive at ${host} and waits for its next attempt is sent now, the same events with the same ids: receivers take each once.`,
        'Each is tried as often as if it were new. Do it once their server works again.',
      ]}
      run={run}
      done={(count) => `${webhooks(count)} ${count === 1 ? 'is' : 'are'} sent to ${host} now`}
      onOpen={() => {
        setSent(0);
        setIsOpen(true);
        void refetch();
      }}
      ready={ids.length > 0}
    >
      {isPending && <Waiting what="Counting them" />}
      <Refused error={error} />
      {data !== undefined && (
        <Text role="status">
          {data.ids.length === 0
            ? 'None waits any more.'
            : `${webhooks(data.ids.length)} will be sent${data.isAll ? '' : ': the newest, as more wait. Do it again for the others'}.`}
        </Text>
      )}
      {sent > 0 && <Progress value={(sent / ids.length) * 100} aria-label={`${sent} of ${ids.length} sent`} />}
    </Action>
  );
}

/** Its newest pending deliveries that an attempt was made of. Its key is none that events renew: what was counted is what is sent. */
function useWaitingAt(endpointId: string, enabled: boolean) {
  return useQuery({
    queryKey: ['send-waiting', endpointId],
    queryFn: async () => {
      const query = { endpointId, state: 'pending', limit: AT_ONCE } as const;
      const { rows, nextCursor } = await page(studio.GET('/deliveries', { params: { query } }));
      return { ids: rows.filter(({ attemptCount }) => attemptCount > 0).map(({ id }) => id), isAll: nextCursor === null };
    },
    enabled,
    staleTime: Infinity,
    gcTime: 0,
  });
}
