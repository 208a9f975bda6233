import { Anchor } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { Loaded } from '../../shared/feedback';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { ownValue } from '../../shared/own-value';
import { Panel } from '../../shared/layout';
import { capitalize, statusLabel } from '../../shared/words';
import { Time } from '../../shared/time';
import { failureWords } from './failures';

/** No live event reports runs. */
const POLL_MS = 30_000;
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: () => callApi(studio.GET('/schedules')),
  refetchInterval: POLL_MS,
});

type Schedule = Schema<'Schedule'>;

const NAMES: Readonly<Record<string, string>> = {
  sweeper: 'Repair and clean-up',
  retention: 'Deletion of old data',
  attention: 'Morning mail',
  reminders: 'Reminders',
};
const STATES: Readonly<Record<Schedule['state'], string>> = {
  running: 'Active',
  paused: 'Paused',
  missing: 'Not started yet',
};

const COLUMNS: readonly RowsColumn<Schedule>[] = [
  { heading: 'Name', wrap: true, cell: ({ id }) => ownValue(NAMES, id) ?? statusLabel(id) },
  { heading: 'Task', wrap: true, cell: ({ does }) => capitalize(does) },
  { heading: 'Status', wrap: true, cell: ({ state, note }) => `${STATES[state]}${note === null ? '' : `: ${note}`}` },
  { heading: 'Next run', cell: ({ nextRunAt }) => <Time at={nextRunAt} /> },
  {
    heading: 'Last runs',
    wrap: true,
    cell: ({ runs }) => (runs.length === 0 ? 'None yet' : runs.map((run) => <Run key={run.startedAt} run={run} />)),
  },
];

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
  const words = [statusLabel(status), failure && failureWords(failure), result && resultWords(result)].filter(Boolean).join(', ');
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

/** The counts in the result of a run. */
const COUNTS: Readonly<Record<string, string>> = {
  looked: 'orders checked',
  orders: 'orders resumed',
  deliveries: 'webhooks resumed',
  idempotencyRecords: 'stored responses deleted',
  rateWindows: 'request counts deleted',
  events: 'events numbered',
  compared: 'artworks compared',
  retired: 'unused artworks marked',
  removed: 'unused artworks deleted',
  orphans: 'stray files deleted',
  quotes: 'addresses erased',
  attempts: 'webhook attempts deleted',
  open: 'open problems',
};

/** The counts above zero, such as `212 orders checked, 3 stored responses deleted`. */
function resultWords(result: Readonly<Record<string, unknown>>): string {
  const counts = Object.entries(COUNTS).flatMap(([name, words]) => {
    const count = result[name];
    return typeof count === 'number' && count > 0 ? [`${count.toLocaleString('en-AU')} ${words}`] : [];
  });
  return counts.length === 0 ? 'nothing to do' : counts.join(', ');
}
