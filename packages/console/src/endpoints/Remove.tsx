import { ask, studio } from '../api/studio';
import { Action } from '../shared/action';
import type { Named } from './endpoint';
import { hostOf } from './words';

/** Takes an endpoint away for good. */
export function Remove({ endpoint }: { endpoint: Named }) {
  const host = hostOf(endpoint.url);
  return (
    <Action
      label="Delete"
      title={`Delete ${host}`}
      says={[
        `Nothing is ever sent to ${host} again, and this cannot be taken back. The client is not told.`,
        'What was sent stays in the list of deliveries; what was still being tried is held there.',
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } } }))}
      done={() => `${host} is deleted`}
      danger
    />
  );
}
