import { checkWebhookUrl } from '../security/public-address';
import { signWebhook } from '../security/webhook-signature';
import { dialAddress, openConnection, type Dial, type Target } from './connect';
import { exchange, type Message } from './exchange';
import { excerptOf } from './excerpt';
import { AttemptFailure, newProgress, type AttemptErrorCode, type AttemptOutcome, type Progress } from './outcome';
import { resolvePublic, type Resolve } from './resolve';

export type { AttemptErrorCode, AttemptOutcome, AttemptTimings } from './outcome';

export interface WebhookSenderOptions {
  /** Origins exempt from "public HTTPS" (setting WEBHOOK_ALLOWED_ORIGINS). */
  allowedOrigins: readonly string[];
  /** For the whole attempt. Default ten seconds (specification "Delivery guarantees" 6). */
  timeoutMs?: number;
  /** All addresses of a name that is not exempt. Default: the DNS. */
  resolve?: Resolve;
  /** Default: TCP to that address. Tests lead public addresses to a receiver of their own through it. */
  dial?: Dial;
  /** Certificate authorities to trust instead of the public ones, PEM. */
  ca?: string | readonly string[];
}

export interface WebhookRequest {
  url: string;
  /** Every secret that signs: one, or two while a rotation's overlap lasts. */
  secrets: readonly string[];
  eventId: string;
  eventType: string;
  /** The event's text as it was fixed when it was written (ruling 35). */
  rawBody: Buffer | string;
  /** The present time, in ms since the epoch. */
  nowMs: number;
}

export interface WebhookSender {
  /**
   * One attempt. Resolves to its outcome whatever the other side does.
   * @throws Error only for faults of ours: no secret, a closed sender, a machine out of file descriptors.
   */
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Takes no more attempts and waits for those under way, at most the timeout. */
  close(): Promise<void>;
}

/**
 * The one place that sends webhooks. Each attempt has a connection of its own, so each is resolved and vetted anew, and
 * a connection that has gone stale while idle cannot fail one. One signal bounds DNS, connect, TLS, headers and body together
 * (ruling 38). It logs nothing.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const underWay = new Set<Promise<AttemptOutcome>>();
  let closed = false;
  return {
    async send(request) {
      if (closed) throw new Error('the webhook sender is closed');
      const attempt = attemptOnce(request, options);
      underWay.add(attempt);
      return attempt.finally(() => underWay.delete(attempt));
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
    },
  };
}

async function attemptOnce(request: WebhookRequest, options: WebhookSenderOptions): Promise<AttemptOutcome> {
  const startedMs = performance.now();
  const progress = newProgress();
  const errorCode = await deliver(request, options, progress);
  return {
    ok: errorCode === null,
    status: progress.status,
    errorCode,
    timings: { ...progress.timings, totalMs: Math.round(performance.now() - startedMs) },
    replyExcerpt: progress.status === null ? null : excerptOf(progress.reply),
    sentAtMs: request.nowMs,
  };
}

async function deliver(request: WebhookRequest, options: WebhookSenderOptions, progress: Progress): Promise<AttemptErrorCode | null> {
  const body = Buffer.from(request.rawBody);
  const headers = headersOf(request, body);
  const target = checkWebhookUrl(request.url, options);
  if (!target.ok) return 'invalid_url';
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), options.timeoutMs ?? 10_000);
  try {
    await postTo(target, { url: target.url, headers, body }, options, clock.signal, progress);
    return verdictOn(progress.status);
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    return clock.signal.aborted ? 'timeout' : error.errorCode;
  } finally {
    clearTimeout(timer);
  }
}

async function postTo(target: Target, message: Message, options: WebhookSenderOptions, signal: AbortSignal, progress: Progress): Promise<void> {
  const { resolve = resolvePublic, dial = dialAddress, ca } = options;
  const socket = await openConnection(target, { resolve, dial, ca }, signal, progress);
  try {
    await exchange(socket, message, signal, progress);
  } finally {
    socket.destroy();
  }
}

/** Specification "Delivery request". `Accept-Encoding` keeps replies readable; Host and Content-Length come with HTTP. */
function headersOf(request: WebhookRequest, rawBody: Buffer): Record<string, string> {
  const timestampSeconds = Math.floor(request.nowMs / 1000);
  return {
    'Content-Type': 'application/json',
    'Service-Signature': signWebhook({ secrets: request.secrets, timestampSeconds, rawBody }),
    'Service-Event-Id': request.eventId,
    'Service-Event-Type': request.eventType,
    'User-Agent': 'Service-Print-API-Webhooks/1',
    'Accept-Encoding': 'identity',
  };
}

/** Any 2xx is success, any 3xx is a redirect that is not followed (specification "Delivery guarantees" 2 and 4, ruling 38). */
function verdictOn(status: number | null): AttemptErrorCode | null {
  if (status === null) return 'protocol';
  if (status >= 200 && status <= 299) return null;
  return status >= 300 && status <= 399 ? 'redirect' : 'bad_status';
}
