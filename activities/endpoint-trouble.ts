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

/** Recent failures are skipped, because the delivery's workflow usually mails them, ms. */
const MIN_AGE_MS = 2 * MINUTE_MS;
const MAIL_TIMEOUT_MS = 3 * DAY_MS;
/** Limits a run, because each mail may take 20 seconds. The next run sends the rest. */
const TIME_LIMIT_MS = MINUTE_MS;

/**
 * Mails the studio and the account when a live endpoint starts to fail, once until it recovers, and when it is disabled (rulings 58 and 65).
 * A mail that fails for three days is logged and dropped: the endpoint shows the same information.
 */
export async function mailTrouble(
  deps: ActivityDeps,
  { deliveryId, failures }: { deliveryId: string; failures: number },
  stop: AbortSignal,
): Promise<void> {
  const endpoint = await findEndpointOfDelivery(deps.database, deliveryId);
  if (endpoint === null) return;
  const disabledMailId = endpoint.state === 'disabled' ? `${endpoint.id}-${deliveryId}-${failures}` : null;
  await mailIfDue(deps, endpoint, disabledMailId, hasMailTimedOut, stop);
}

/** Finds endpoints whose attempts all failed for an hour, and sends pending mails about failing endpoints. */
export async function mailFailingEndpoints(deps: ActivityDeps, stop: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  const failing = await markFailingEndpoints(deps.database, now);
  const due = new Set([...failing, ...(await findEndpointsToAlert(deps.database, new Date(now.getTime() - MIN_AGE_MS)))]);
  const deadlineMs = performance.now() + TIME_LIMIT_MS;
  for (const endpointId of due) {
    if (performance.now() > deadlineMs) return;
    stop.throwIfAborted();
    const endpoint = await findEndpoint(deps.database, endpointId);
    if (endpoint !== null) await mailOrLog(deps, endpoint, now, stop);
  }
}

async function mailOrLog(deps: ActivityDeps, endpoint: EndpointRow, now: Date, stop: AbortSignal): Promise<void> {
  const hasTimedOut = ({ failing_since: since }: EndpointFailures) => since !== null && now.getTime() - since.getTime() > MAIL_TIMEOUT_MS;
  try {
    await mailIfDue(deps, endpoint, null, hasTimedOut, stop);
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
  stop: AbortSignal,
): Promise<void> {
  const trouble = await findEndpointFailures(deps.database, endpoint.id);
  if (trouble === null || endpoint.environment !== 'live') return;
  const { failing_since: since, failing_told_at: notifiedAt } = trouble;
  if (disabledMailId === null && (since === null || notifiedAt !== null)) return;
  try {
    await mailStudioAndAccount(deps, endpoint, trouble, disabledMailId ?? `${endpoint.id}-${since?.getTime()}`, stop);
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
  stop: AbortSignal,
): Promise<void> {
  const account = await findAccount(deps.database, endpoint.account_id);
  if (account === null) return;
  const { studioMail, publicBaseUrl } = deps;
  const lastAnswer = describeResponse(trouble.last_status, trouble.last_error);
  const mails = createTroubleMails({
    id,
    endpoint,
    account,
    failures: trouble.consecutive_failures,
    lastAnswer,
    studioMail,
    publicBaseUrl,
  });
  const sent = await Promise.allSettled(mails.map((mail) => sendMailOnce(deps, mail, stop)));
  const failed = sent.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
