import { Checkbox, Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, callApiPage, studio } from '../api/studio';
import { useSession } from '../session/session';
import { Action, useActionForm } from '../shared/action';
import { ErrorAlert, Loaded, Loading } from '../shared/feedback';
import { DateTimeInput } from '../shared/inputs';
import { formatLocalTime, parseLocalTime } from '../shared/local-time';
import { serviceNow } from '../shared/service-clock';
import { countWebhooks, type Endpoint, hostOf } from './words';

const WEEK_MS = 7 * 24 * 3_600_000;
type State = 'failed' | 'held';

export function ResendFailed({ endpoint: { id, url, state } }: { endpoint: Endpoint }) {
  const { timeZone } = useSession();
  const form = useActionForm(() => ({
    since: formatLocalTime(new Date(serviceNow() - WEEK_MS), timeZone),
    until: '',
    states: ['failed', 'held'] as State[],
  }));
  const { since, until, states } = form.values;
  const [from, to] = [parseLocalTime(since, timeZone), until === '' ? undefined : parseLocalTime(until, timeZone)];
  const isValid = from !== null && to !== null && states.length > 0;
  const scope = { since: from ?? '', ...(to && { until: to }), states };
  const resend = (dryRun: boolean): Promise<{ count: number }> =>
    callApi(studio.POST('/webhook-endpoints/{id}/recover', { params: { path: { id } }, body: { ...scope, dryRun } }));
  const [openedAt, setOpenedAt] = useState<number>();
  const { data, error, isFetching } = useQuery({
    queryKey: ['resend-count', id, openedAt, scope],
    queryFn: () => resend(true),
    enabled: openedAt !== undefined && isValid,
    staleTime: Infinity,
    gcTime: 0,
  });
  const host = hostOf(url);
  const isDisabled = state === 'disabled';
  return (
    <Action
      label="Resend failed and held"
      title={`Resend failed and held webhooks to ${host}`}
      consequences={['Sends webhooks again, with their original event ids.', ...(isDisabled ? ['Enable the endpoint first.'] : [])]}
      run={() => resend(false)}
      toast={({ count }) => `Sending ${countWebhooks(count)} to ${host}`}
      {...form.action}
      onOpen={() => setOpenedAt(Date.now())}
      ready={!isDisabled && isValid && data !== undefined && data.count > 0}
      notReadyReason={isDisabled ? 'The endpoint is disabled' : undefined}
    >
      <Group grow align="flex-start">
        <DateTimeInput label="Created from" daysAhead={0} description="Studio time" required {...form.field('since')} />
        <DateTimeInput label="Created before" daysAhead={1} description="Default: now" {...form.field('until')} />
      </Group>
      <Checkbox.Group label="Status" error={states.length === 0 && 'Select at least one status'} {...form.getInputProps('states')}>
        <Group mt={4}>
          <Checkbox value="failed" label="Failed: no attempts left" />
          <Checkbox value="held" label="Held while disabled" />
        </Group>
      </Checkbox.Group>
      {isFetching && <Loading what="Counting" />}
      {data !== undefined && <Text role="status">{data.count === 0 ? 'No webhooks to send' : `${countWebhooks(data.count)} to send`}</Text>}
      <ErrorAlert error={error} />
    </Action>
  );
}

const BATCH_SIZE = 100;

/** Sends the newest pending deliveries with a failed attempt. */
export function SendPending({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const [isOpen, setIsOpen] = useState(false);
  const [sent, setSent] = useState(0);
  // No live event refreshes this key, so the counted deliveries are those that are sent.
  const pending = useQuery({
    queryKey: ['pending-deliveries', id],
    queryFn: async () => {
      const query = { endpointId: id, state: 'pending', limit: BATCH_SIZE } as const;
      const { rows, nextCursor } = await callApiPage(studio.GET('/deliveries', { params: { query } }));
      return { ids: rows.filter(({ attemptCount }) => attemptCount > 0).map((row) => row.id), isAll: nextCursor === null };
    },
    enabled: isOpen,
    staleTime: Infinity,
    gcTime: 0,
  });
  const ids = pending.data?.ids ?? [];
  const run = async (): Promise<void> => {
    // A repeat after a refusal continues with the next delivery.
    for (const [index, delivery] of [...ids.entries()].slice(sent)) {
      await callApi(studio.POST('/deliveries/{id}/resend', { params: { path: { id: delivery } } }));
      setSent(index + 1);
    }
  };
  return (
    <Action
      label="Send pending now"
      title={`Send pending webhooks to ${hostOf(url)}`}
      consequences={['Sends failed attempts again now, with their original event ids. The retry schedule starts again.']}
      run={run}
      toast={() => `Sending ${countWebhooks(ids.length)} to ${hostOf(url)}`}
      onOpen={() => {
        setSent(0);
        setIsOpen(true);
        void pending.refetch();
      }}
      ready={ids.length > 0 && !pending.isFetching}
    >
      <Loaded query={pending} what="Counting">
        {({ isAll }) => (
          <Text role="status">
            {ids.length === 0 ? 'No pending webhooks' : countWebhooks(ids.length)}
            {!isAll && '. Repeat this for the rest.'}
          </Text>
        )}
      </Loaded>
      {sent > 0 && <Progress value={(sent / ids.length) * 100} aria-label={`${sent} of ${ids.length} sent`} />}
    </Action>
  );
}
