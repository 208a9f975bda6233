import { createSecureContext, type SecureContext } from 'node:tls';
import { ATTEMPT_TIMEOUT_MS } from '../domain/webhook-rules';
import { Attempt, type AttemptEnd, type AttemptSettings } from './attempt';
import { dialAddress, type Dial } from './connect';
import { excerptOf } from './excerpt';
import { ConnectionPool } from './connection-pool';
import { signEvent, type EventToSend } from './message';
import { createProgress, type AttemptOutcome } from './outcome';
import { resolvePublic, type Resolve } from './resolve';
import { createTargetReader, type Target } from './target';

export type { AttemptOutcome } from './outcome';

export interface WebhookSenderOptions {
  /** Origins that need neither a public address nor HTTPS (setting WEBHOOK_ALLOWED_ORIGINS). */
  allowedOrigins: readonly string[];
  /** Timeout of the whole attempt. Default ten seconds (specification "Delivery guarantees" 6). */
  timeoutMs?: number;
  /** How long a reply's body may take after its headers, within the timeout. Default one second. */
  bodyTimeoutMs?: number;
  /** The maximum age of a connection since its address was checked. Default 60 seconds. */
  maxConnectionAgeMs?: number;
  /** The maximum number of idle connections. Default 1,000. */
  maxIdle?: number;
  /** Resolves host names, except those of allowed origins. Default: DNS. */
  resolve?: Resolve;
  /** Default: TCP to the address. Tests redirect public addresses to their own receiver. */
  dial?: Dial;
  /** Trusted certificate authorities instead of the public ones, PEM. */
  ca?: string | readonly string[];
  /** A monotonic clock, ms. Default: the machine's. */
  monotonicMs?: () => number;
}

export interface WebhookRequest extends EventToSend {
  /** A connection serves one endpoint and URL only. */
  endpointId: string;
  url: string;
  /**
   * Called right before the first byte is written, and again before a repeat on another connection. If it returns false, nothing is written,
   * the outcome is null, and the connection is kept. Default: always true.
   */
  mayStillSend?: () => boolean;
  /** Aborting it ends the attempt without an outcome, unless the reply's headers have arrived. */
  stop?: AbortSignal;
}

export interface WebhookSender {
  /**
   * Makes one attempt. Resolves to its outcome, or to null if `mayStillSend` returned false.
   * @throws Error only for faults of this service, such as no secret, a closed sender or no file descriptors; and the reason of `stop`
   */
  send(request: WebhookRequest): Promise<AttemptOutcome | null>;
  /** Closes an endpoint's idle connections after a change of its URL or state. Busy ones are closed after their POST. */
  closeConnections(endpointId: string): void;
  /** Refuses new attempts, waits for running ones up to the timeout, and closes all idle connections. */
  close(): Promise<void>;
}

/**
 * The only sender of webhooks. Each new connection resolves and checks the address, serves one endpoint, and is reused while the check is
 * valid. One timer limits DNS, connect, TLS, headers and body together (ruling 38). Logs nothing.
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

/** The TLS context is slow to create, so it is created on first use and shared by all connections. */
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
