import { Alert, Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import { useSession } from '../session/session';
import { Action } from '../shared/action';
import { useFields } from '../shared/fields';
import { Refused } from '../shared/told';
import { instantOf, localOf } from '../shared/zoned';
import { hostOf, type Named, webhooks } from './words';

const WEEK_MS = 7 * 24 * 3_600_000;
type State = 'failed' | 'held';

export function Recover({ endpoint }: { endpoint: Named }) {
  const scope = useScope();
  const host = hostOf(endpoint.url);
  const recover = (dryRun: boolean): Promise<{ count: number }> =>
    ask(studio.POST('/webhook-endpoints/{id}/recover', { params: { path: { id: endpoint.id } }, body: { ...scope.asked, dryRun } }));
  const counting = useMutation({ mutationFn: () => recover(true) });
  // What was counted is good for what was asked for then, and for nothing else.
  const [countedOf, setCountedOf] = useState<string>();
  const asked = JSON.stringify(scope.asked);
  const count = countedOf === asked ? counting.data?.count : undefined;
  const isDisabled = endpoint.state === 'disabled';
  return (
    <Action
      label="Recover"
      title={`Recover webhooks of ${host}`}
      says={[
        `What failed or was held is sent to ${host} again, the same events with the same ids: receivers take each once.`,
        isDisabled ? 'It is disabled: enable it first. You can count already.' : 'Count first: nothing is sent by that.',
      ]}
      run={() => recover(false)}
      done={(done) => `${webhooks(done.count)} will be sent to ${host} again`}
      onOpen={() => {
        scope.clear();
        setCountedOf(undefined);
        counting.reset();
      }}
      ready={!isDisabled && scope.good && count !== undefined && count > 0}
    >
      <Scope scope={scope} />
      <Group>
        <Button
          variant="default"
          loading={counting.isPending}
          disabled={!scope.good}
          onClick={() => counting.mutate(undefined, { onSuccess: () => setCountedOf(asked) })}
        >
          Count them
        </Button>
        {count !== undefined && <Counted count={count} />}
      </Group>
      <Refused error={counting.error} />
    </Action>
  );
}

function Counted({ count }: { count: number }) {
  if (count === 0) return <Text role="status">None: nothing of that time failed or is held.</Text>;
  return (
    <Alert role="status" color="indigo" p="xs">
      {webhooks(count)} would be sent again.
    </Alert>
  );
}

function useScope() {
  const { timeZone } = useSession();
  const { fields, set, typed, clear } = useFields(() => ({
    since: localOf(new Date(Date.now() - WEEK_MS), timeZone),
    until: '',
    states: ['failed', 'held'] as State[],
  }));
  const { since, until, states } = fields;
  const from = instantOf(since, timeZone);
  const to = until === '' ? undefined : instantOf(until, timeZone);
  const good = from !== null && to !== null && states.length > 0;
  const asked = { since: from ?? '', ...(to && { until: to }), states };
  return { states, set, typed, good, asked, clear };
}

function Scope({ scope }: { scope: ReturnType<typeof useScope> }) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput type="datetime-local" label="Made since" description="By the studio's clock" required {...scope.typed('since')} />
        <TextInput type="datetime-local" label="And before" description="Now, if left empty" {...scope.typed('until')} />
      </Group>
      <Checkbox.Group label="Which" value={scope.states} onChange={(states) => scope.set('states', states as State[])}>
        <Group mt={4}>
          <Checkbox value="failed" label="Failed: given up after every attempt" />
          <Checkbox value="held" label="Held: kept while it was disabled" />
        </Group>
      </Checkbox.Group>
    </>
  );
}
