import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import type { Endpoint } from '../../endpoints/endpoint';
import { eventWords, hostOf } from '../../endpoints/words';
import { Action } from '../../shared/action';

interface ResendProps {
  delivery: Of<'DeliveryDetail'>;
  endpoint: Endpoint | null;
  isDeleted: boolean;
}

/** Sends one event again, whatever became of it. */
export function Resend({ delivery, endpoint, isDeleted }: ResendProps) {
  if (isDeleted) return null;
  const host = hostOf(delivery.endpointUrl);
  const isDisabled = endpoint?.state === 'disabled';
  return (
    <Action
      label="Resend"
      title={`Resend "${eventWords(delivery.eventType)}" of ${delivery.orderNumber}`}
      says={[
        `${host} is sent the same event with the same id again. A receiver that has it already takes it once.`,
        `It is tried up to ${delivery.attemptsInChain} times, as if it were new.`,
        ...(isDisabled ? ['Its endpoint is disabled: enable it first.'] : []),
      ]}
      run={() => ask(studio.POST('/deliveries/{id}/resend', { params: { path: { id: delivery.id } } }))}
      done={() => `It is sent to ${host} again`}
      ready={!isDisabled}
      button={{ variant: 'filled' }}
    />
  );
}
