import { Anchor, Group, List, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { known } from '../../shared/known';
import { Section } from '../../shared/section';
import { wordsOf } from '../../shared/status';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { resultWords } from './result-words';

const LOOK_AGAIN_MS = 30_000;
/** As Temporal has them just now; no event tells of their runs, so it is asked again. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: () => ask(studio.GET('/schedules')),
  refetchInterval: LOOK_AGAIN_MS,
});

type Schedule = Of<'Schedule'>;
type Run = Schedule['runs'][number];

const NAMES: Readonly<Record<string, string>> = { sweeper: 'Sweeper', retention: 'Forgetting addresses', attention: 'Morning mail' };
const STATES: Readonly<Record<Schedule['state'], string>> = {
  running: 'Runs by itself',
  paused: 'Paused in Temporal',
  missing: 'Not there yet: it comes with the first worker',
};

export function Schedules() {
  const { data: schedules, error, refetch } = useQuery(schedulesQuery);
  return (
    <Section title="What runs by itself">
      {error !== null && <Refused error={error} retry={() => void refetch()} />}
      {schedules === undefined && error === null && <Waiting what="Asking Temporal" />}
      {schedules?.map((schedule) => (
        <One key={schedule.id} schedule={schedule} />
      ))}
    </Section>
  );
}

function One({ schedule }: { schedule: Schedule }) {
  const { id, does, state, note, nextRunAt, runs } = schedule;
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        {known(NAMES, id) ?? wordsOf(id)}
      </Title>
      <Text size="sm">It {does}.</Text>
      <Text size="sm">
        {STATES[state]}
        {note !== null && `: ${note}`}
        {nextRunAt !== null && (
          <>
            ; next on <When at={nextRunAt} />
          </>
        )}
      </Text>
      {runs.length === 0 ? (
        <Text size="sm">It has not run yet.</Text>
      ) : (
        <List size="sm" aria-label={`Last runs of ${known(NAMES, id) ?? id}`}>
          {runs.map((run) => (
            <List.Item key={run.startedAt}>
              <Told run={run} />
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Told({ run }: { run: Run }) {
  const { startedAt, status, result, failure, workflowUrl } = run;
  return (
    <Group gap="xs">
      <When at={startedAt} />
      <Text size="sm" span fw={status === 'completed' || status === 'running' ? undefined : 700}>
        {wordsOf(status)}
        {failure !== null && ` (${failure})`}
        {result !== null && `: ${resultWords(result)}`}
      </Text>
      {workflowUrl !== null && (
        <Anchor href={workflowUrl} target="_blank" rel="noreferrer" size="sm">
          In Temporal
        </Anchor>
      )}
    </Group>
  );
}
