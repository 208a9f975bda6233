import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';
import { openDatabase, type Database, type Session } from '../db/database';
import { readUrl } from '../domain/urls';
import type { Config, TemporalConfig } from '../config';
import { openTemporal, type Temporal } from '../temporal';
import { TemporalAway, unwrapped } from '../temporal/breaker';
import { connectLazily } from '../temporal/connect';
import { errorMessage } from './problems';

/** PostgreSQL or Temporal is not where the settings say, or turns us away: one line that names the setting and repeats no secret. */
export class CannotReach extends Error {}

/** @throws CannotReach */
export async function reachDatabase(url: string, poolSize: number, session?: Session): Promise<Database> {
  try {
    return await openDatabase(url, poolSize, session);
  } catch (error) {
    throw new CannotReach(
      `PostgreSQL at ${placeOf(url)} cannot be used (${errorLine(error)}); see that it runs there and that DATABASE_URL names its host, port, user, password and database`,
    );
  }
}

/** Runs what needs nothing but Temporal. @throws CannotReach for whatever goes wrong */
export async function reachTemporal<T>(config: TemporalConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw temporalAway(config, error);
  }
}

/** Opens Temporal for one command. @throws CannotReach where Temporal is not there, or goes away meanwhile */
export async function withTemporal<T>(config: Config, work: (temporal: Temporal) => Promise<T>): Promise<T> {
  const connection = await reachTemporal(config.temporal, () => connectLazily(config.temporal));
  const temporal = openTemporal({
    connection,
    namespace: config.temporal.namespace,
    quietPeriodMs: config.orderQuietPeriodMs,
    confirmationDelayMs: config.confirmationDelayMs,
    codecKeys: config.codecKeys,
  });
  try {
    await reachTemporal(config.temporal, () => connection.ensureConnected());
    return await whileTemporalAnswers(config.temporal, () => work(temporal));
  } finally {
    temporal.close();
    await connection.close();
  }
}

/** Runs what also needs Temporal. @throws CannotReach where Temporal went away meanwhile, and whatever else goes wrong as it is */
async function whileTemporalAnswers<T>(config: TemporalConfig, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = unwrapped(error);
    const isAway =
      cause instanceof TemporalAway || cause instanceof NamespaceNotFoundError || (isGrpcServiceError(cause) && AWAY.has(cause.code));
    throw isAway ? temporalAway(config, cause) : error;
  }
}

/** gRPC: NOT_FOUND of a namespace, PERMISSION_DENIED, UNAVAILABLE, UNAUTHENTICATED. */
const AWAY = new Set<number>([5, 7, 14, 16]);

function temporalAway({ address, namespace }: TemporalConfig, error: unknown): CannotReach {
  return new CannotReach(
    `Temporal at ${address}, namespace ${namespace}, cannot be used (${errorLine(error)}); see that it runs there and that TEMPORAL_ADDRESS (host:port) and TEMPORAL_NAMESPACE name it`,
  );
}

/** host:port/database of a URL; never its user or password. */
function placeOf(url: string): string {
  const read = readUrl(url);
  if (read === null) return 'a place that cannot be read';
  const { hostname, port, pathname } = read;
  return `${hostname}:${port || 5432}${pathname}`;
}

export function errorLine(error: unknown): string {
  const words = isGrpcServiceError(error) ? error.details : errorMessage(error);
  return words.replace(/\s+/g, ' ').trim().slice(0, 200) || 'it does not say why';
}
