import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';
import { openDatabase, type Database, type SessionTimeouts } from '../db/database';
import { readUrl } from '../domain/urls';
import type { Config, TemporalConfig } from '../config';
import { openTemporal, type Temporal } from '../temporal';
import { TemporalUnavailable, unwrapGrpcError } from '../temporal/breaker';
import { connectLazily } from '../temporal/connect';
import { errorMessage } from './errors';

/** PostgreSQL or Temporal is not where the settings say, or turns us away: one line that names the setting and repeats no secret. */
export class UnreachableError extends Error {}

/** @throws CannotReach */
export async function connectDatabase(url: string, poolSize: number, session?: SessionTimeouts): Promise<Database> {
  try {
    return await openDatabase(url, poolSize, session);
  } catch (error) {
    throw new UnreachableError(
      `PostgreSQL at ${describeDatabase(url)} cannot be used (${errorLine(error)}); see that it runs there and that DATABASE_URL names its host, port, user, password and database`,
    );
  }
}

/** Runs what needs nothing but Temporal. @throws CannotReach for whatever goes wrong */
export async function withConnectionErrors<T>(config: TemporalConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw temporalUnreachable(config, error);
  }
}

/** Opens Temporal for one command. @throws CannotReach where Temporal is not there, or goes away meanwhile */
export async function withTemporal<T>(config: Config, work: (temporal: Temporal) => Promise<T>): Promise<T> {
  const connection = await withConnectionErrors(config.temporal, () => connectLazily(config.temporal));
  const temporal = openTemporal({
    connection,
    namespace: config.temporal.namespace,
    quietPeriodMs: config.orderQuietPeriodMs,
    confirmationDelayMs: config.confirmationDelayMs,
    codecKeys: config.codecKeys,
  });
  try {
    await withConnectionErrors(config.temporal, () => connection.ensureConnected());
    return await withAvailabilityErrors(config.temporal, () => work(temporal));
  } finally {
    temporal.close();
    await connection.close();
  }
}

/** Runs what also needs Temporal. @throws CannotReach where Temporal went away meanwhile, and whatever else goes wrong as it is */
async function withAvailabilityErrors<T>(config: TemporalConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = unwrapGrpcError(error);
    const isUnavailable =
      cause instanceof TemporalUnavailable ||
      cause instanceof NamespaceNotFoundError ||
      (isGrpcServiceError(cause) && UNAVAILABLE_CODES.has(cause.code));
    throw isUnavailable ? temporalUnreachable(config, cause) : error;
  }
}

/** gRPC: NOT_FOUND of a namespace, PERMISSION_DENIED, UNAVAILABLE, UNAUTHENTICATED. */
const UNAVAILABLE_CODES = new Set<number>([5, 7, 14, 16]);

function temporalUnreachable({ address, namespace }: TemporalConfig, error: unknown): UnreachableError {
  return new UnreachableError(
    `Temporal at ${address}, namespace ${namespace}, cannot be used (${errorLine(error)}); see that it runs there and that TEMPORAL_ADDRESS (host:port) and TEMPORAL_NAMESPACE name it`,
  );
}

/** host:port/database of a URL; never its user or password. */
function describeDatabase(url: string): string {
  const parsed = readUrl(url);
  if (parsed === null) return 'a place that cannot be read';
  const { hostname, port, pathname } = parsed;
  return `${hostname}:${port || 5432}${pathname}`;
}

export function errorLine(error: unknown): string {
  const words = isGrpcServiceError(error) ? error.details : errorMessage(error);
  return words.replace(/\s+/g, ' ').trim().slice(0, 200) || 'it does not say why';
}
