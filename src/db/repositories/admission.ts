import type { Environment } from '../../domain/limits';
import { row, type Sql } from '../data-source';

export interface Admission {
  verdict: 'ok' | 'unauthorized' | 'throttled' | 'unknown_route' | 'forbidden' | 'limited';
  retry_after: number;
  key_id: string;
  account_id: string;
  environment: Environment;
}

export interface AdmissionRequest {
  keyHash: Buffer;
  source: string;
  /** Null: no such route; only the key is judged. */
  endpoint: { name: string; scope: string; perMinute: number } | null;
}

/** Key, account, scope and budget in one round trip (specification "Authentication", "Limits"; rulings 2, 13–15). */
export async function admit(sql: Sql, request: AdmissionRequest): Promise<Admission> {
  const { keyHash, source, endpoint } = request;
  const admission = await row<Admission>(sql, 'SELECT verdict, retry_after, key_id, account_id, environment FROM admit_request($1, $2, $3, $4, $5)',
    [keyHash, source, endpoint?.name ?? null, endpoint?.scope ?? null, endpoint?.perMinute ?? null]);
  if (admission === null) throw new Error('admit_request answered nothing');
  return admission;
}

/** Counts one hit of a subject; 0 when admitted, otherwise the seconds to wait. */
export async function admitHit(sql: Sql, subject: string, endpoint: string, limit: number): Promise<number> {
  const found = await row<{ wait: number }>(sql, 'SELECT admit_hit($1, $2, $3) AS wait', [subject, endpoint, limit]);
  return found?.wait ?? 0;
}
