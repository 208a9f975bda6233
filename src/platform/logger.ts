import { activeTraceIds } from '../telemetry/tracing';
import { pino, type DestinationStream, type Logger } from 'pino';
import { RELEASE } from './version';

export type { Logger } from 'pino';

/**
 * Structured logs. Callers log only ids, counts, codes and times, and never keys, tokens, addresses or artwork URLs. The redaction is a
 * second protection.
 */
export function createLogger(level: string, name: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    name,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'authorization',
        'token',
        'key',
        'secret',
        'standardSecret',
        'uploadUrl',
        'url',
        'imageUrl',
        'address',
        'email',
        'headers',
        '*.authorization',
        '*.token',
        '*.key',
        '*.secret',
        '*.standardSecret',
        '*.uploadUrl',
        '*.imageUrl',
        '*.address',
        '*.email',
        '*.headers',
      ],
      censor: '[redacted]',
    },
    serializers: { err: safeError },
    mixin: () => activeTraceIds() ?? {},
  };
  return (destination ? pino(options, destination) : pino(options)).child(RELEASE);
}

/** Removes data that drivers add to errors: a query's parameters, a mail's recipients. */
function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  const cause = error.cause instanceof Error ? { cause: safeError(error.cause) } : {};
  return { type: error.name, message: error.message, code, constraint, stack: error.stack, ...cause };
}
