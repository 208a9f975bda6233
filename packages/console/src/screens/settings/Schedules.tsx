import { Anchor, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { Loaded } from '../../shared/feedback';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { ownValue } from '../../shared/own-value';
import { Panel } from '../../shared/layout';
import { capitalize, statusLabel } from '../../shared/words';
import { Time } from '../../shared/time';

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
  { heading: 'Task', cell: ({ does }) => <Wrapped>{capitalize(does)}</Wrapped> },
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
  return (
    <Panel title="Scheduled tasks">
      <Loaded query={useQuery(schedulesQuery)} what="Loading schedules">
        {(schedules) => (
          <StaticTable label="Scheduled tasks" rows={schedules} columns={COLUMNS} keyOf={({ id }) => id} empty="No schedules" />
        )}
      </Loaded>
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

/** The counts in the result of a scheduled run, such as `orders 0, scanned 212`. */
function resultWords(result: Readonly<Record<string, unknown>>): string {
  const numbers = Object.entries(result).filter(([, value]) => typeof value === 'number');
  if (numbers.length === 0) return 'nothing to do';
  return numbers.map(([name, value]) => `${statusLabel(name.replaceAll(/([A-Z])/g, ' $1')).toLowerCase()} ${String(value)}`).join(', ');
}
