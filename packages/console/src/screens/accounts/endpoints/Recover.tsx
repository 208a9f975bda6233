import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { Refused, Waiting } from '../../../shared/told';
import { todayIn } from '../../../shared/when';
import { daysBefore, startOf } from '../days';
import type { Healthy } from './Endpoint';

type State = 'failed' | 'held';
interface Asked {
  since: string;
  states: State[];
}

const BOTH: State[] = ['failed', 'held'];
const DAYS = 7;

const recover = (id: string, body: Asked & { dryRun: boolean }) =>
  ask(studio.POST('/webhook-endpoints/{id}/recover', { params: { path: { id } }, body }));

/** Sends again what failed or was held. It is counted first, whenever something else is asked for. */
export function Recover({ endpoint: { id, url } }: { endpoint: Healthy }) {
  const { timeZone } = useSession();
  const [opened, setOpened] = useState(false);
  const [day, setDay] = useState('');
  const [states, setStates] = useState<State[]>(BOTH);
  const asked: Asked = { since: day === '' ? '' : startOf(day, timeZone), states };
  const count = useQuery({
    queryKey: ['endpoints', 'recoverable', id, asked],
    queryFn: () => recover(id, { ...asked, dryRun: true }),
    enabled: opened && day !== '' && states.length > 0,
    staleTime: 0,
  });
  const open = (): void => {
    setOpened(true);
    setDay(daysBefore(todayIn(timeZone), DAYS));
    setStates(BOTH);
  };
  const found = count.isSuccess ? count.data.count : 0;
  return (
    <Action
      label="Recover"
      title={`Send again to ${url}`}
      says={['What failed or was held is sent again, each with the same id and text, so that the client can tell what it had already.']}
      run={() => recover(id, { ...asked, dryRun: false })}
      done={(answer) => `${deliveries(answer.count)} sent again`}
      ready={found > 0}
      onOpen={open}
    >
      <TextInput type="date" label="Of deliveries since" required value={day} onChange={(event) => setDay(event.currentTarget.value)} />
      <Checkbox.Group label="Those that" value={states} onChange={(chosen) => setStates(chosen as State[])}>
        <Group mt={4}>
          <Checkbox value="failed" label="failed for good" />
          <Checkbox value="held" label="were held while it was disabled" />
        </Group>
      </Checkbox.Group>
      {count.isLoading && <Waiting what="Counting" />}
      <Refused error={count.error} />
      {count.isSuccess && (
        <Text fw={600} role="status">
          {found === 0 ? 'There is nothing to send again.' : `${deliveries(found)} would be sent again.`}
        </Text>
      )}
    </Action>
  );
}

const deliveries = (count: number): string => `${count.toLocaleString('en-AU')} ${count === 1 ? 'delivery' : 'deliveries'}`;
