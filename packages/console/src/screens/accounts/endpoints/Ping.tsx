import { Alert, Text } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import type { Of } from '../../../api/types';
import { Action } from '../../../shared/action';
import { wordsOf } from '../../../shared/status';
import type { Healthy } from './Endpoint';

type Result = Of<'PingResult'>;

/** Tries whether an endpoint answers. */
export function Ping({ endpoint: { id, url } }: { endpoint: Healthy }) {
  return (
    <Action
      label="Ping"
      title={`Ping ${url}`}
      says={['A signed message that means nothing is sent there now, and what comes back is shown. It counts for nothing.']}
      run={() => ask(studio.POST('/webhook-endpoints/{id}/ping', { params: { path: { id } } }))}
      done={() => 'The ping was sent'}
      result={cameBack}
    />
  );
}

const cameBack = (answer: Result) => <CameBack of={answer} />;

function CameBack({ of: { ok, status, errorCode, totalMs, replyExcerpt } }: { of: Result }) {
  const reply = status === null ? 'no reply' : `reply ${status}`;
  return (
    <Alert
      color={ok ? 'green' : 'red'}
      role="status"
      title={ok ? 'It works' : `It failed: ${wordsOf(errorCode ?? 'unknown').toLowerCase()}`}
    >
      <Text size="sm">
        {reply} after {totalMs.toLocaleString('en-AU')} ms
      </Text>
      {replyExcerpt !== null && replyExcerpt !== '' && (
        <Text className="mono" mt="xs">
          {replyExcerpt}
        </Text>
      )}
    </Alert>
  );
}
