import { Text } from '@mantine/core';
import { Time } from '../shared/time';
import type { EndpointWithHealth } from './health';
import { errorWords } from './words';

export function EndpointHealth({ endpoint }: { endpoint: EndpointWithHealth }) {
  const { health, deliveries, consecutiveFailures, disabledReason, state } = endpoint;
  const { lastSuccessAt, lastFailureAt, lastErrorCode, pending } = health;
  const counts = Object.entries({ pending, held: deliveries.held, failed: deliveries.failed })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count.toLocaleString('en-AU')} ${name}`);
  const isNearLimit = state === 'enabled' && consecutiveFailures > 0;
  return (
    <Text size="sm" component="div">
      {state === 'disabled' && <div>{disabledReason ?? 'Disabled'}. Events are held.</div>}
      {lastFailureAt !== null && (
        <div>
          Last failure <Time at={lastFailureAt} />
          {lastErrorCode !== null && `: ${errorWords(lastErrorCode)}`}
        </div>
      )}
      <div>
        {lastSuccessAt === null ? (
          'No recent success'
        ) : (
          <>
            Last success <Time at={lastSuccessAt} />
          </>
        )}
      </div>
      <div>{[...counts, isNearLimit && `${consecutiveFailures} of 20 failures in a row`].filter(Boolean).join(' · ')}</div>
    </Text>
  );
}
