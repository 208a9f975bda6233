import { Stack, Text } from '@mantine/core';
import { ask, studio } from '../api/studio';
import type { Of } from '../api/types';
import { Action } from '../shared/action';
import type { Named } from './endpoint';
import { Reply } from './Reply';
import { errorWords, hostOf, whatHelps } from './words';
import { capital } from '../shared/status';

/** Tries an endpoint, and shows what came back. */
export function Ping({ endpoint }: { endpoint: Named }) {
  const host = hostOf(endpoint.url);
  return (
    <Action
      label="Ping"
      title={`Ping ${host}`}
      says={[
        `A signed test message goes to ${host} now, and you see what comes back.`,
        'It is of no order, their shop hears nothing new, and it counts for nothing.',
      ]}
      run={() => ask(studio.POST('/webhook-endpoints/{id}/ping', { params: { path: { id: endpoint.id } } }))}
      done={(came) => (came.ok ? `${host} answered ${came.status}: it works` : `${host}: ${errorWords(came.errorCode ?? '', came.status)}`)}
      result={showPing}
    />
  );
}

const showPing = (came: Of<'PingResult'>) => <PingResult came={came} />;

function PingResult({ came }: { came: Of<'PingResult'> }) {
  const helps = came.errorCode === null ? null : whatHelps(came.errorCode);
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>
        {came.ok
          ? `It arrived: their server answered ${came.status}`
          : `It did not arrive: ${errorWords(came.errorCode ?? '', came.status)}`}
      </Text>
      <Text size="sm">
        After {came.totalMs.toLocaleString('en-AU')} ms.{helps === null ? '' : ` ${capital(helps)}`}
      </Text>
      <Reply text={came.replyExcerpt} />
    </Stack>
  );
}
