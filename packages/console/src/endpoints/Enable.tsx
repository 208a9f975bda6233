import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from '../api/refusal';
import { ask, studio } from '../api/studio';
import { Action } from '../shared/action';
import type { Endpoint } from './endpoint';
import { errorWords, hostOf, webhooks, whatHelps } from './words';

/** Enables a disabled endpoint; says what is sent then, and what is not. */
export function Enable({ endpoint }: { endpoint: Pick<Endpoint, 'id' | 'url' | 'state' | 'deliveries'> }) {
  const [skipPing, setSkipPing] = useState(false);
  const host = hostOf(endpoint.url);
  const { held } = endpoint.deliveries;
  return (
    <Action
      label="Enable"
      title={`Enable ${host}`}
      says={[
        `A ping goes to ${host} first. Where that fails, it stays disabled and you see why.`,
        'Then whatever happens to orders from now on is sent there again.',
        held === 0
          ? 'Nothing was held meanwhile, so nothing else is sent.'
          : `${webhooks(held)} held meanwhile ${held === 1 ? 'is' : 'are'} not sent by enabling it: "Recover" sends ${held === 1 ? 'it' : 'them'} afterwards.`,
      ]}
      repeats="safely"
      run={() => enable(endpoint.id, skipPing)}
      done={() => `${host} is enabled`}
      onOpen={() => setSkipPing(false)}
    >
      <Checkbox
        label="Enable it without trying it first"
        checked={skipPing}
        onChange={(event) => setSkipPing(event.currentTarget.checked)}
      />
    </Action>
  );
}

/** @throws Refusal, of a ping that failed in words that lead on. */
async function enable(id: string, skipPing: boolean): Promise<Endpoint> {
  try {
    return await ask(studio.POST('/webhook-endpoints/{id}/enable', { params: { path: { id } }, body: skipPing ? { skipPing } : {} }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'ENDPOINT_UNREACHABLE') throw error;
    const { errorCode, status } = (error.details ?? {}) as { errorCode?: string | null; status?: number | null };
    const why = errorWords(errorCode ?? '', status);
    const words = `It stays disabled, as the ping failed: ${why}. ${whatHelps(errorCode ?? '') ?? ''} Tick the box to enable it all the same.`;
    throw new Refusal(error.code, words, error.status, error.details);
  }
}
