import type { AccountRow } from '../db/rows';
import type { EndpointRow } from '../db/repositories/webhook-endpoints';
import { FAILURES_BEFORE_DISABLE } from '../domain/webhook-rules';
import { mailText } from './flat';
import type { Mail } from './index';

export interface Trouble {
  endpoint: EndpointRow;
  account: AccountRow;
  /** Deliveries that failed in a row. */
  failures: number;
  deliveryId: string;
  to: string;
}

/** Tells the studio that an endpoint keeps failing, and what to do about it. */
export function troubleMail({ endpoint, account, failures, deliveryId, to }: Trouble): Mail {
  const disabled = endpoint.state === 'disabled';
  return {
    id: `webhook-trouble-${endpoint.id}-${deliveryId}-${failures}`,
    to,
    subject: disabled ? `Webhooks to ${account.name} are switched off` : `Webhooks to ${account.name} keep failing (${failures} in a row)`,
    text: mailText([
      `${failures} deliveries in a row to ${account.name}'s ${endpoint.environment} endpoint have used up all their attempts.`,
      `Endpoint ${endpoint.id}, last delivery ${deliveryId}.`,
      '',
      disabled
        ? 'The endpoint is disabled now. Its events are kept as held; once the receiver works again, enable the endpoint and recover what was held.'
        : `At ${FAILURES_BEFORE_DISABLE} in a row the endpoint will be disabled and its events kept as held.`,
      '',
    ]),
  };
}
