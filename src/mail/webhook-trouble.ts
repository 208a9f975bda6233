import type { AccountRow } from '../db/rows';
import type { EndpointRow } from '../db/repositories/webhook-endpoints';
import { FAILURES_BEFORE_DISABLE } from '../domain/webhook-rules';
import { mailText } from './mail-text';
import type { Mail } from './index';

export interface TroubleMailInput {
  id: string;
  endpoint: Pick<EndpointRow, 'id' | 'url' | 'state'>;
  account: Pick<AccountRow, 'id' | 'name' | 'email'>;
  /** Consecutive failed deliveries. */
  failures: number;
  /** The result of the last attempt: "answered 500", "timeout". */
  lastAnswer: string;
  studioMail: string;
  /** The trade API's URL, `https://…/v1`; the guides are next to it. */
  publicBaseUrl: string;
  /** The URL of the console. */
  studioUrl: string;
}

/** Creates mails to the studio and the account: an endpoint is failing or disabled, and how to repair it. */
export function createTroubleMails(trouble: TroubleMailInput): Mail[] {
  const { email } = trouble.account;
  return [mailToStudio(trouble), ...(email === '' ? [] : [mailToAccount(trouble, email)])];
}

const isDisabled = ({ endpoint }: TroubleMailInput): boolean => endpoint.state === 'disabled';
const hostOf = ({ endpoint }: TroubleMailInput): string => new URL(endpoint.url).host;
const guideUrl = ({ publicBaseUrl }: TroubleMailInput): string => `${publicBaseUrl.replace(/\/v1$/, '')}/docs/guides/webhooks`;

function mailToStudio(trouble: TroubleMailInput): Mail {
  const { id, endpoint, account, failures, lastAnswer, studioMail, studioUrl } = trouble;
  const disabled = isDisabled(trouble);
  return {
    id: `webhook-trouble-${id}`,
    to: studioMail,
    subject: `Webhooks to ${account.name} ${disabled ? 'are disabled' : 'are failing'}`,
    text: mailText([
      `Webhooks do not reach ${account.name}'s endpoint ${endpoint.id} at ${hostOf(trouble)}.`,
      `Last attempt: ${lastAnswer}. Consecutive failed deliveries: ${failures}.`,
      '',
      disabled
        ? 'The endpoint is disabled and its events are held. When the receiver works again, enable the endpoint and recover the held events.'
        : `After ${FAILURES_BEFORE_DISABLE} consecutive failures the endpoint is disabled and its events are held. There are no further mails until it recovers.`,
      '',
      `All attempts and responses: ${studioUrl}/deliveries?endpoint=${endpoint.id}`,
      `The endpoints of the account: ${studioUrl}/accounts/${account.id}?tab=endpoints`,
      `Requirements for receivers: ${guideUrl(trouble)}`,
      '',
    ]),
  };
}

function mailToAccount(trouble: TroubleMailInput, email: string): Mail {
  const { id, endpoint, lastAnswer } = trouble;
  const disabled = isDisabled(trouble);
  return {
    id: `webhook-trouble-${id}-account`,
    to: { address: email },
    subject: disabled ? 'Your webhook endpoint is disabled' : 'Your webhook endpoint is failing',
    text: mailText([
      `Events about your orders do not reach your live endpoint ${endpoint.id} at ${hostOf(trouble)}.`,
      `Last attempt: ${lastAnswer}.`,
      '',
      disabled
        ? 'The endpoint is disabled after repeated failures. No event is lost: contact us when your receiver works again, and we will send the held events.'
        : 'Your orders are not affected. We try each event seven times within about 17 hours. If the failures continue, the endpoint will be disabled.',
      '',
      `Requirements for receivers, and how to list and resend deliveries: ${guideUrl(trouble)}`,
      '',
    ]),
  };
}
