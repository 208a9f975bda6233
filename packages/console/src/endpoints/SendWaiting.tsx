import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, page, studio } from '../api/studio';
import { Action } from '../shared/action';
import { Refused, Waiting } from '../shared/told';
import type { Named } from './endpoint';
import { hostOf, webhooks } from './words';

/** Of one go; whoever has more does it again. */
const AT_ONCE = 100;

/** Sends what is still tried at once, without waiting for its next attempt: counted first, then one after the other. */
export function SendWaiting({ endpoint }: { endpoint: Named }) {
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
