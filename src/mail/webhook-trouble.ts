import type { AccountRow } from '../db/rows';
import type { EndpointRow } from '../db/repositories/webhook-endpoints';
import { FAILURES_BEFORE_DISABLE } from '../domain/webhook-rules';
import { mailText } from './mail-text';
import type { Mail } from './index';

export interface TroubleMailInput {
  id: string;
  endpoint: Pick<EndpointRow, 'id' | 'url' | 'state'>;
  account: Pick<AccountRow, 'name' | 'email'>;
  /** Deliveries in a row that used up all their attempts. */
  failures: number;
  /** How the last attempt ended: "answered 500", "timeout". */
  lastAnswer: string;
  studioMail: string;
  /** The trade API, `https://…/v1`, beside which its guides are. */
  publicBaseUrl: string;
}

/** Tells the studio and the account that an endpoint is failing, or disabled, and what to do about it (ruling 65). */
export function createTroubleMails(trouble: TroubleMailInput): Mail[] {
  const { email } = trouble.account;
  return [mailToStudio(trouble), ...(email === '' ? [] : [mailToAccount(trouble, email)])];
}

const isDisabled = ({ endpoint }: TroubleMailInput): boolean => endpoint.state === 'disabled';
const hostOf = ({ endpoint }: TroubleMailInput): string => new URL(endpoint.url).host;
const guideUrl = ({ publicBaseUrl }: TroubleMailInput): string => `${publicBaseUrl.replace(/\/v1$/, '')}/docs/guides/webhooks`;

function mailToStudio(trouble: TroubleMailInput): Mail {
  const { id, endpoint, account, failures, lastAnswer, studioMail } = trouble;
  const disabled = isDisabled(trouble);
  return {
    id: `webhook-trouble-${id}`,
    to: studioMail,
    subject: `Webhooks to ${account.name} ${disabled ? 'are switched off' : 'are failing'}`,
    text: mailText([
      `Webhooks no longer reach ${account.name}'s endpoint ${endpoint.id} at ${hostOf(trouble)}.`,
      `The last attempt: ${lastAnswer}. Deliveries in a row that used up all their attempts: ${failures}.`,
      '',
      disabled
        ? 'The endpoint is disabled now. Its events are kept as held; once the receiver works again, enable the endpoint and recover what was held.'
        : `At ${FAILURES_BEFORE_DISABLE} in a row the endpoint will be disabled and its events kept as held. You will not be told again before it has recovered.`,
      '',
      `Every attempt and what came back: GET /studio/v1/deliveries?endpointId=${endpoint.id} in the studio API.`,
      `What receivers have to do: ${guideUrl(trouble)}`,
      '',
    ]),
  };
}

function mailToAccount(trouble: TroubleMailInput, email: string): Mail {
  const { id, endpoint, lastAnswer, publicBaseUrl } = trouble;
  const disabled = isDisabled(trouble);
  return {
    id: `webhook-trouble-${id}-account`,
    to: { address: email },
    subject: disabled ? 'Our webhooks to you are switched off' : 'Our webhooks do not reach you',
    text: mailText([
      `Events about your orders no longer reach your live endpoint ${endpoint.id} at ${hostOf(trouble)}.`,
      `The last attempt: ${lastAnswer}.`,
      '',
      disabled
        ? 'It failed for so long that the endpoint is disabled now. Nothing is lost: once your receiver works again, write to us, and we send everything that was kept.'
        : 'Your orders go on as they are. Each event is tried seven times over about seventeen hours; if that goes on the endpoint will be disabled.',
      '',
      `Your deliveries: ${publicBaseUrl}/webhook-deliveries`,
      `What receivers have to do, and how to catch up: ${guideUrl(trouble)}`,
      '',
    ]),
  };
}
