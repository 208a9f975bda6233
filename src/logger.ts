import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * Structured logs. Call sites name what they log: ids, counts, codes and times; never keys, tokens, addresses or artwork URLs.
 * The redaction is the second line of defence.
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
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Errors without the data that drivers hang on them: a failed query carries its parameters, a mail its recipients. */
function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  const cause = error.cause instanceof Error ? { cause: safeError(error.cause) } : {};
  return { type: error.name, message: error.message, code, constraint, stack: error.stack, ...cause };
}
