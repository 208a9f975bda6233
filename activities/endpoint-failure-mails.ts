import { findAccount } from '../src/db/repositories/accounts';
import {
  markFailingEndpoints,
  markAlerted,
  findEndpointFailures,
  findEndpointsToAlert,
  type EndpointFailures,
} from '../src/db/repositories/endpoint-failures';
import { findEndpointOfDelivery } from '../src/db/repositories/webhook-deliveries';
import { findEndpoint, type EndpointRow } from '../src/db/repositories/webhook-endpoints';
import { DAY_MS, MINUTE_MS } from '../src/domain/duration';
import { describeResponse } from '../src/domain/webhook-rules';
import { MailDelayed } from '../src/mail';
import { createTroubleMails } from '../src/mail/webhook-trouble';
import type { ActivityDeps } from './deps';
import { sendMailOnce } from './mail-once';
import { hasMailTimedOut } from './mail-timeout';

/** The sweep mails about failures that are at least this old, ms. The delivery's workflow usually mails about younger ones. */
const MIN_AGE_MS = 2 * MINUTE_MS;
const MAIL_TIMEOUT_MS = 3 * DAY_MS;
/** Limits one run of the sweep, because each mail may take 90 seconds. The next run sends the remaining mails. */
const TIME_LIMIT_MS = MINUTE_MS;

/**
 * Mails the studio and the account when a live endpoint starts to fail, and when it is disabled. There is one mail about failures until the
 * endpoint recovers. A mail that cannot be sent for three days is logged and dropped, because the endpoint's page shows the same
 * information.
 */
export async function mailEndpointFailure(
  deps: ActivityDeps,
  { deliveryId, failures }: { deliveryId: string; failures: number },
  abortSignal: AbortSignal,
): Promise<void> {
  const endpoint = await findEndpointOfDelivery(deps.database, deliveryId);
  if (endpoint === null) return;
  const disabledMailId = endpoint.state === 'disabled' ? `${endpoint.id}-${deliveryId}-${failures}` : null;
  await mailIfDue(deps, endpoint, disabledMailId, hasMailTimedOut, abortSignal);
}

/** Finds endpoints whose attempts have all failed for an hour, and sends the mails about failing endpoints that are still pending. */
export async function mailFailingEndpoints(deps: ActivityDeps, abortSignal: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  const failing = await markFailingEndpoints(deps.database, now);
  const due = new Set([...failing, ...(await findEndpointsToAlert(deps.database, new Date(now.getTime() - MIN_AGE_MS)))]);
  const deadlineMs = performance.now() + TIME_LIMIT_MS;
  for (const endpointId of due) {
    if (performance.now() > deadlineMs) return;
    abortSignal.throwIfAborted();
    const endpoint = await findEndpoint(deps.database, endpointId);
    if (endpoint !== null) await mailOrLog(deps, endpoint, now, abortSignal);
  }
}

async function mailOrLog(deps: ActivityDeps, endpoint: EndpointRow, now: Date, abortSignal: AbortSignal): Promise<void> {
  const hasTimedOut = ({ failing_since: since }: EndpointFailures) => since !== null && now.getTime() - since.getTime() > MAIL_TIMEOUT_MS;
  try {
    await mailIfDue(deps, endpoint, null, hasTimedOut, abortSignal);
  } catch (error) {
    deps.logger.warn({ err: error, endpointId: endpoint.id }, 'the mail about a failing endpoint was not sent; the next run retries it');
  }
}

/** @param disabledMailId the id of the mails about a disabled endpoint; null if the endpoint is failing */
async function mailIfDue(
  deps: ActivityDeps,
  endpoint: EndpointRow,
  disabledMailId: string | null,
  shouldGiveUp: (trouble: EndpointFailures) => boolean,
  abortSignal: AbortSignal,
): Promise<void> {
  const trouble = await findEndpointFailures(deps.database, endpoint.id);
  if (trouble === null || endpoint.environment !== 'live') return;
  const { failing_since: since, failing_mailed_at: notifiedAt } = trouble;
  if (disabledMailId === null && (since === null || notifiedAt !== null)) return;
  try {
    await mailStudioAndAccount(deps, endpoint, trouble, disabledMailId ?? `${endpoint.id}-${since?.getTime()}`, abortSignal);
  } catch (error) {
    if (!(error instanceof MailDelayed && shouldGiveUp(trouble))) throw error;
    deps.logger.error({ err: error, endpointId: endpoint.id }, 'the mail about a failing endpoint will not be sent');
  }
  if (since !== null) await markAlerted(deps.database, endpoint.id, since, deps.clock.now());
}

/** Sends both mails, even if one fails. */
async function mailStudioAndAccount(
  deps: ActivityDeps,
  endpoint: EndpointRow,
  trouble: EndpointFailures,
  id: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const account = await findAccount(deps.database, endpoint.account_id);
  if (account === null) return;
  const { studioMail, publicBaseUrl, studioUrl } = deps;
  const lastAnswer = describeResponse(trouble.last_status, trouble.last_error);
  const mails = createTroubleMails({
    id,
    endpoint,
    account,
    failures: trouble.consecutive_failures,
    lastAnswer,
    studioMail,
    publicBaseUrl,
    studioUrl,
  });
  const sent = await Promise.allSettled(mails.map((mail) => sendMailOnce(deps, mail, abortSignal)));
  const failed = sent.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
