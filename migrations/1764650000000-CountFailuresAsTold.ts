import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: `admit_request` is told how many failed authentications a source may have in a minute.
 * Why: the number stood in the function and in the code; what widens every budget in development and tests could not widen this one.
 * Processes of before call it without the number and get the one they always had.
 */
export class CountFailuresAsTold1764650000000 implements MigrationInterface {
  name = 'CountFailuresAsTold1764650000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION admit_request(bytea, text, text, text, integer)');
    await runner.query(admitRequest(', p_failures integer DEFAULT 20', 'p_failures'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION admit_request(bytea, text, text, text, integer, integer)');
    await runner.query(admitRequest('', '20'));
  }
}

const admitRequest = (parameter: string, failures: string): string => `
  CREATE FUNCTION admit_request(p_key_hash bytea, p_source text, p_endpoint text, p_scope text, p_limit integer${parameter})
  RETURNS TABLE (verdict text, retry_after integer, key_id text, account_id text, environment text)
  LANGUAGE plpgsql AS $$
  DECLARE
    v_key record;
    v_wait integer;
  BEGIN
    SELECT k.id, k.account_id, k.environment, k.scopes, k.last_used_at INTO v_key
      FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
       AND a.status = 'active' AND a.api_access;
    IF NOT FOUND THEN
      v_wait := admit_hit('source:' || p_source, 'authentication', ${failures});
      RETURN QUERY SELECT CASE WHEN v_wait > 0 THEN 'throttled' ELSE 'unauthorized' END, v_wait, NULL::text, NULL::text, NULL::text;
      RETURN;
    END IF;
    IF p_endpoint IS NULL THEN
      RETURN QUERY SELECT 'unknown_route'::text, 0, v_key.id, v_key.account_id, v_key.environment;
      RETURN;
    END IF;
    IF NOT p_scope = ANY (v_key.scopes) THEN
      RETURN QUERY SELECT 'forbidden'::text, 0, v_key.id, v_key.account_id, v_key.environment;
      RETURN;
    END IF;
    IF v_key.last_used_at IS NULL OR v_key.last_used_at < clock_timestamp() - interval '1 minute' THEN
      UPDATE api_keys SET last_used_at = clock_timestamp() WHERE id = v_key.id;
    END IF;
    v_wait := admit_hit('key:' || v_key.id, p_endpoint, p_limit);
    RETURN QUERY SELECT CASE WHEN v_wait > 0 THEN 'limited' ELSE 'ok' END, v_wait, v_key.id, v_key.account_id, v_key.environment;
  END $$`;
