import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';
import type { Config, TemporalConfig } from '../config/config';
import { openTemporal, type Temporal } from '../temporal';
import { isUnanswered, TemporalUnavailable, unwrapGrpcError } from '../temporal/breaker';
import { connectLazily } from '../temporal/connect';
import { errorMessage } from './errors';

/** Temporal is unreachable or refuses the connection. The message names the setting and contains no secret. */
export class UnreachableError extends Error {}

/** Runs work that needs only Temporal. @throws UnreachableError for every failure */
export async function withConnectionErrors<T>(config: TemporalConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw temporalUnreachable(config, error);
  }
}

/** Connects to Temporal for one command. @throws UnreachableError if Temporal is or becomes unreachable */
export async function withTemporal<T>(config: Config, work: (temporal: Temporal) => Promise<T>): Promise<T> {
  const connection = await withConnectionErrors(config.temporal, () => connectLazily(config.temporal));
  const temporal = openTemporal(connection, config);
  try {
    await withConnectionErrors(config.temporal, () => connection.ensureConnected());
    return await withAvailabilityErrors(config.temporal, () => work(temporal));
  } finally {
    temporal.close();
    await connection.close();
  }
}

/** Runs work that also needs Temporal. @throws UnreachableError if Temporal becomes unreachable; other errors unchanged */
async function withAvailabilityErrors<T>(config: TemporalConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = unwrapGrpcError(error);
    const isUnavailable =
      cause instanceof TemporalUnavailable ||
      cause instanceof NamespaceNotFoundError ||
      isUnanswered(cause) ||
      (isGrpcServiceError(cause) && UNAVAILABLE_CODES.has(cause.code));
    throw isUnavailable ? temporalUnreachable(config, cause) : error;
  }
}

/** The gRPC codes NOT_FOUND (of the namespace), PERMISSION_DENIED, UNAVAILABLE and UNAUTHENTICATED. */
const UNAVAILABLE_CODES = new Set<number>([5, 7, 14, 16]);

function temporalUnreachable({ address, namespace }: TemporalConfig, error: unknown): UnreachableError {
  return new UnreachableError(
    `cannot use Temporal at ${address}, namespace ${namespace} (${errorLine(error)}); check that it runs and that TEMPORAL_ADDRESS (host:port) and TEMPORAL_NAMESPACE are correct`,
  );
}

export function errorLine(error: unknown): string {
  const words = isGrpcServiceError(error) ? error.details : errorMessage(error);
  return words.replace(/\s+/g, ' ').trim().slice(0, 200) || 'no reason given';
}
