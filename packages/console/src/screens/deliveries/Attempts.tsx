import { Text } from '@mantine/core';
import type { Schema } from '../../api/studio';
import { Response } from '../../endpoints/EndpointActions';
import { errorWords } from '../../endpoints/words';
import { EmptyState } from '../../shared/feedback';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { ownValue } from '../../shared/own-value';
import { Panel } from '../../shared/layout';
import { capitalize, statusLabel } from '../../shared/words';
import { Time } from '../../shared/time';

type Attempt = Schema<'Attempt'>;

const TRIGGERS: Readonly<Record<Schema<'Delivery'>['trigger'], string>> = {
  automatic: 'First attempt',
  resend: 'Resent',
  recover: 'Resent in bulk',
};

const COLUMNS: readonly RowsColumn<Attempt>[] = [
  { heading: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    heading: 'Trigger',
    cell: ({ trigger, number }) => (number > 1 ? `Retry ${number - 1}` : (ownValue(TRIGGERS, trigger) ?? statusLabel(trigger))),
  },
  {
    heading: 'Result',
    cell: ({ ok, errorCode, status }) => (ok ? `✓ HTTP ${status}` : `✗ ${capitalize(errorWords(errorCode ?? '', status))}`),
  },
  { heading: 'Response', cell: ({ replyExcerpt }) => <Response text={replyExcerpt} /> },
  { heading: 'Duration (ms)', cell: ({ timings }) => <Duration timings={timings} />, right: true },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
];

export function Attempts({ delivery: { attempts, attemptsDeletedUntil } }: { delivery: Schema<'DeliveryDetail'> }) {
  return (
    <Panel title="Attempts">
      {(attempts.length > 0 || attemptsDeletedUntil === null) && (
        <StaticTable
          label="Attempts"
          rows={attempts.toReversed()}
          columns={COLUMNS}
          keyOf={({ chain, number }) => `${chain}-${number}`}
          empty="No attempts yet"
        />
      )}
      {attemptsDeletedUntil !== null && (
        <EmptyState>
          Attempts until <Time at={attemptsDeletedUntil} /> were deleted.
        </EmptyState>
      )}
    </Panel>
  );
}

const PHASES = { DNS: 'dnsMs', connect: 'connectMs', TLS: 'tlsMs', response: 'firstByteMs' } as const;

function Duration({ timings }: { timings: Schema<'Attempt'>['timings'] }) {
  const phases = Object.entries(PHASES).flatMap(([name, key]) => (typeof timings[key] === 'number' ? [`${name} ${timings[key]}`] : []));
  return (
    <span>
      {timings.totalMs?.toLocaleString('en-AU')}
      <Text size="xs">{phases.join(' · ')}</Text>
    </span>
  );
}
