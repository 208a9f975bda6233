import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: a function that takes the floor's own words out of the audit log's rows of erased orders, and does nothing else; an index that
 * finds what was done to one subject.
 * Why: the processes' database role may add to the audit log and change nothing in it, and an erasure is made by the processes. The
 * function runs as the owner, touches three fields of orders that are marked as erased, and leaves who did what and when.
 */
export class EraseAuditedTexts1764510000000 implements MigrationInterface {
  name = 'EraseAuditedTexts1764510000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION erase_audited_texts(p_orders text[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        UPDATE public.audit_log SET after = after
            || (SELECT COALESCE(jsonb_object_agg(field, '"[erased]"'::jsonb), '{}') FROM unnest(ARRAY['note', 'trackingNumber']) field WHERE after->>field IS NOT NULL)
            || CASE WHEN after->>'trackingUrl' IS NULL THEN '{}'::jsonb ELSE '{"trackingUrl": null}' END
         WHERE after->>'milestoneId' IS NOT NULL
           AND subject IN (SELECT id FROM public.orders WHERE id = ANY (p_orders) AND erased_at IS NOT NULL)
      $$`);
    await runner.query('CREATE INDEX audit_log_of_subject ON audit_log (subject, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION erase_audited_texts(text[])');
    await runner.query('DROP INDEX audit_log_of_subject');
  }
}
