import { createSecureContext, type SecureContext } from 'node:tls';
import { ATTEMPT_TIMEOUT_MS } from '../domain/webhook-rules';
import { Attempt, type AttemptEnd, type AttemptSettings } from './attempt';
import { dialAddress, type Dial } from './connect';
import { excerptOf } from './excerpt';
import { ConnectionPool } from './connection-pool';
import { signEvent } from './message';
import { createProgress, type AttemptOutcome } from './outcome';
import { resolvePublic, type Resolve } from './resolve';
import { createTargetReader, type Target } from './target';

export type { AttemptOutcome } from './outcome';

export interface WebhookSenderOptions {
  /** Origins exempt from "public HTTPS" (setting WEBHOOK_ALLOWED_ORIGINS). */
  allowedOrigins: readonly string[];
  /** For the whole attempt. Default ten seconds (specification "Delivery guarantees" 6). */
  timeoutMs?: number;
  /** How much longer than its headers a reply's body is read, within the timeout. Default one second. */
  bodyTimeoutMs?: number;
  /** How long a connection may be used after its address was vetted. Default 60 seconds. */
  maxConnectionAgeMs?: number;
  /** How many idle connections are kept in all. Default 1,000. */
  maxIdle?: number;
  /** All addresses of a name that is not exempt. Default: the DNS. */
  resolve?: Resolve;
  /** Default: TCP to that address. Tests lead public addresses to a receiver of their own through it. */
  dial?: Dial;
  /** Certificate authorities to trust instead of the public ones, PEM. */
  ca?: string | readonly string[];
  /** A clock that never goes back, in ms. Default: the machine's. */
  monotonicMs?: () => number;
}

export interface WebhookRequest {
  /** A connection serves one endpoint and URL only. */
  endpointId: string;
  url: string;
  /** Every secret that signs: one, or two while a rotation's overlap lasts. */
  secrets: readonly string[];
  eventId: string;
  eventType: string;
  /** The event's text as it was fixed when it was written (ruling 35). */
  rawBody: Buffer | string;
  /** The present time, in ms since the epoch. */
  nowMs: number;
  /**
   * Asked right before the first byte would be written on an open connection, and again before a repeat on another. False:
   * nothing is written, the outcome is null, and the connection is kept for the next. Default: always true.
   */
  mayStillSend?: () => boolean;
  /** Abandons the attempt when it aborts, unless a reply has its headers. The attempt then has no outcome. */
  stop?: AbortSignal;
}

export interface WebhookSender {
  /**
   * One attempt. Resolves to its outcome whatever the other side does; to null where `mayStillSend` withdrew it.
   * @throws Error only for faults of ours: no secret, a closed sender, a machine out of file descriptors; and the reason of `stop`.
   */
  send(request: WebhookRequest): Promise<AttemptOutcome | null>;
  /** Closes the kept connections of an endpoint, because its URL or state has changed. Those in use are closed after their POST. */
  closeConnections(endpointId: string): void;
  /** Takes no more attempts, waits for those under way, at most the timeout, and closes all kept connections. */
  close(): Promise<void>;
}

/**
 * The one place that sends webhooks. A connection is resolved and vetted anew, serves one endpoint, and is used again while
 * its vetting is fresh. One timer bounds DNS, connect, TLS, headers and body together (ruling 38). It logs nothing.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const settings = createSettings(options);
  const readTarget = createTargetReader(options.allowedOrigins);
  const runningAttempts = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    async send(request) {
      if (isClosed) throw new Error('the webhook sender is closed');
      const attempt = attemptOnce(request, readTarget, settings);
      runningAttempts.add(attempt);
      return attempt.finally(() => runningAttempts.delete(attempt));
    },
    closeConnections: (endpointId) => settings.connectionPool.closeEndpoint(endpointId),
    async close() {
      isClosed = true;
      await Promise.allSettled(runningAttempts);
      settings.connectionPool.closeAll();
    },
  };
}

function createSettings({ ca, maxIdle = 1_000, monotonicMs = () => performance.now(), ...options }: WebhookSenderOptions): AttemptSettings {
  return {
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    bodyTimeoutMs: 1_000,
    maxConnectionAgeMs: 60_000,
    resolve: resolvePublic,
    dial: dialAddress,
    monotonicMs,
    ...options,
    secureContext: lazySecureContext(ca),
    connectionPool: new ConnectionPool(maxIdle, monotonicMs),
  };
}

/** Made when it is first needed, for it takes a while, and shared by all connections. */
function lazySecureContext(ca: WebhookSenderOptions['ca']): () => SecureContext {
  let context: SecureContext | undefined;
  return () => (context ??= createSecureContext({ minVersion: 'TLSv1.2', ...(ca !== undefined && { ca: [ca].flat() }) }));
}

async function attemptOnce(
  request: WebhookRequest,
  readTarget: (url: string) => Target | null,
  settings: AttemptSettings,
): Promise<AttemptOutcome | null> {
  const startedMs = performance.now();
  const progress = createProgress();
  const event = signEvent(request);
  const target = readTarget(request.url);
  const end: AttemptEnd = target === null ? 'invalid_url' : await new Attempt(target, event, request, progress, settings).run();
  if (end === 'withdrawn') return null;
  return {
    ok: end === 'ok',
    status: progress.status,
    errorCode: end === 'ok' ? null : end,
    timings: { ...progress.timings, totalMs: Math.round(performance.now() - startedMs) },
    replyExcerpt: progress.status === null ? null : excerptOf(progress.reply),
    sentAtMs: request.nowMs,
  };
}
