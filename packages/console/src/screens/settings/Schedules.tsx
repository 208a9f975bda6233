import { Anchor, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { ownValue } from '../../shared/own-value';
import { Panel } from '../../shared/layout';
import { statusLabel } from '../../shared/words';
import { Time } from '../../shared/time';
import { resultWords } from './result-words';

/** No live event reports runs. */
const POLL_MS = 30_000;
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: () => callApi(studio.GET('/schedules')),
  refetchInterval: POLL_MS,
});

type Schedule = Schema<'Schedule'>;

const NAMES: Readonly<Record<string, string>> = { sweeper: 'Sweeper', retention: 'Retention', attention: 'Morning mail' };
const STATES: Readonly<Record<Schedule['state'], string>> = {
  running: 'Active',
  paused: 'Paused in Temporal',
  missing: 'Waiting for the first worker',
};

const COLUMNS: readonly RowsColumn<Schedule>[] = [
  { heading: 'Name', cell: ({ id }) => ownValue(NAMES, id) ?? statusLabel(id) },
  { heading: 'Task', cell: ({ does }) => <Wrapped>{does.charAt(0).toUpperCase() + does.slice(1)}</Wrapped> },
  { heading: 'Status', cell: ({ state, note }) => `${STATES[state]}${note === null ? '' : `: ${note}`}` },
  { heading: 'Next run', cell: ({ nextRunAt }) => <Time at={nextRunAt} /> },
  {
    heading: 'Last runs',
    cell: ({ runs }) =>
      runs.length === 0 ? (
        'None yet'
      ) : (
        <Wrapped>
          {runs.map((run) => (
            <Run key={run.startedAt} run={run} />
          ))}
        </Wrapped>
      ),
  },
];

const Wrapped = ({ children }: { children: React.ReactNode }) => (
  <Text size="sm" component="div" style={{ whiteSpace: 'normal' }}>
    {children}
  </Text>
);

export function Schedules() {
  const { data: schedules, error, refetch } = useQuery(schedulesQuery);
  return (
    <Panel title="Scheduled tasks">
      <ErrorAlert error={error} retry={() => void refetch()} />
      {schedules === undefined && error === null && <Loading what="Loading schedules" />}
      {schedules && <StaticTable label="Scheduled tasks" rows={schedules} columns={COLUMNS} keyOf={({ id }) => id} empty="No schedules" />}
    </Panel>
  );
}

function Run({ run: { startedAt, status, result, failure, workflowUrl } }: { run: Schedule['runs'][number] }) {
  const words = [statusLabel(status), failure, result && resultWords(result)].filter(Boolean).join(', ');
  return (
    <div>
      <Time at={startedAt} />{' '}
      {workflowUrl === null ? (
        words
      ) : (
        <Anchor href={workflowUrl} target="_blank" rel="noreferrer" size="sm" title="Open in Temporal">
          {words}
        </Anchor>
      )}
    </div>
  );
}
