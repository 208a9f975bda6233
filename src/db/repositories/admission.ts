import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';

export interface Admission {
  verdict: 'ok' | 'unauthorized' | 'throttled' | 'unknown_route' | 'forbidden' | 'limited';
  retry_after: number;
  /** Of the caller; null, like account and environment, where the key does not work. */
  key_id: string;
  account_id: string;
  environment: Environment;
}

export interface AdmissionRequest {
  keyHash: Buffer;
  source: string;
  /** Null: no such route; only the key is judged. */
  endpoint: { name: string; scope: string; perMinute: number } | null;
  /** Failed authentications a minute that a source may have; a whole number. */
  failuresPerMinute: number;
}

/**
 * What an endpoint reads first. It is found by the statement that lets the caller in, so that a poll is one round trip. `join` may use `a`,
 * the caller (verdict, account_id, environment); parameters count from $6; rows without a match have a null `id`.
 */
export class Prefetch<Row> {
  constructor(
    readonly columns: string,
    readonly join: string,
    readonly parameters: readonly unknown[],
  ) {}

  /** A left join that matched nothing answers one row of nulls. */
  rows(answered: readonly { id?: string | null }[]): Row[] {
    return answered.filter(({ id }) => id !== null) as Row[];
  }
}

const ADMISSION = 'a.verdict, a.retry_after, a.key_id AS caller_key, a.account_id AS caller_account, a.environment AS caller_environment';

/**
 * Judges key, account, scope and budget in one round trip, on what is stored at this moment (specification "Authentication", ruling 13).
 */
export async function admit<Row = never>(
  sql: Sql,
  request: AdmissionRequest,
  prefetch: Prefetch<Row> | null = null,
): Promise<Admission & { prefetched: Row[] | null }> {
  const { keyHash, source, endpoint } = request;
  // A number in the text and no parameter, so that those of what is prefetched count on from the same one.
  const admitted = `admit_request($1, $2, $3, $4, $5, ${Math.trunc(request.failuresPerMinute)}) a`;
  const parameters = [keyHash, source, endpoint?.name ?? null, endpoint?.scope ?? null, endpoint?.perMinute ?? null];
  const answered =
    prefetch === null
      ? await sql.rows<AdmissionRow>(`SELECT ${ADMISSION} FROM ${admitted}`, parameters)
      : await sql.rows<AdmissionRow>(`SELECT ${ADMISSION}, ${prefetch.columns} FROM ${admitted} ${prefetch.join}`, [
          ...parameters,
          ...prefetch.parameters,
        ]);
  const [first] = answered;
  if (first === undefined) throw new Error('admit_request answered nothing');
  const { verdict, retry_after, caller_key, caller_account, caller_environment } = first;
  return {
    verdict,
    retry_after,
    key_id: caller_key,
    account_id: caller_account,
    environment: caller_environment,
    prefetched: prefetch === null ? null : prefetch.rows(answered),
  };
}

interface AdmissionRow extends Pick<Admission, 'verdict' | 'retry_after'> {
  caller_key: string;
  caller_account: string;
  caller_environment: Environment;
  /** Of what was prefetched. */
  id?: string | null;
}

/** Counts one hit of a subject; 0 when admitted, otherwise the seconds to wait. */
export async function admitHit(sql: Sql, subject: string, endpoint: string, limit: number): Promise<number> {
  const found = await sql.row<{ wait: number }>('SELECT admit_hit($1, $2, $3) AS wait', [subject, endpoint, limit]);
  return found?.wait ?? 0;
}
