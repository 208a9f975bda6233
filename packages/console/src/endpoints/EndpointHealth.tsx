import { Text } from '@mantine/core';
import type { Of } from '../api/types';
import { When } from '../shared/when';
import { errorWords, webhooks } from './words';

export function EndpointHealth({ endpoint }: { endpoint: Of<'WebhookEndpointWithHealth'> }) {
  const { health, deliveries, consecutiveFailures, disabledReason, state } = endpoint;
  return (
    <Text size="sm" component="div">
      {state === 'disabled' && (
        <div>Disabled{disabledReason === null ? '' : `: ${disabledReason}`}. Nothing is sent; everything is held.</div>
      )}
      {consecutiveFailures > 0 && state === 'enabled' && (
        <div>{webhooks(consecutiveFailures)} in a row given up; after twenty it is disabled by itself.</div>
      )}
      <Last health={health} />
      <Waits pending={health.pending} {...deliveries} />
    </Text>
  );
}

function Last({ health: { lastSuccessAt, lastFailureAt, lastErrorCode } }: { health: Of<'WebhookEndpointWithHealth'>['health'] }) {
  if (lastSuccessAt === null && lastFailureAt === null) return <div>Nothing has been sent there yet.</div>;
  return (
    <>
      {lastFailureAt !== null && (
        <div>
          Last failure <When at={lastFailureAt} />
          {lastErrorCode === null ? '' : `: ${errorWords(lastErrorCode)}`}
        </div>
      )}
      <div>
        {lastSuccessAt === null ? 'Nothing arrived of late' : 'Last arrived '}
        {lastSuccessAt !== null && <When at={lastSuccessAt} />}
      </div>
    </>
  );
}

function Waits({ pending, held, failed }: { pending: number; held: number; failed: number }) {
  const waits = [
    pending > 0 && `${webhooks(pending)} still tried`,
    held > 0 && `${webhooks(held)} held`,
    failed > 0 && `${webhooks(failed)} given up`,
  ].filter((part) => part !== false);
  return waits.length === 0 ? null : <div>{waits.join(', ')}.</div>;
}
