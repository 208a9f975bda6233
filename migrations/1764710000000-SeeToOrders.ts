import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: attention says of which environment its order is; an endpoint's health says since when it is failing and that this was told; mails
 * of the studio's that went out are known by their ids; erasing takes the reasons of corrections and the notes of resolved attention out
 * of the audit log too.
 * Why: the list of what needs a person is of live orders, oldest first, and test orders that nobody sees to must not be read on the way
 * there (ruling 58). A trigger fills the environment in, so that processes of the release before go on raising attention meanwhile.
 * "Failing" is told once, and again only after the endpoint has recovered (ruling 65); a mail of the day once a day.
 *
 * `failing_since` is when it was found; `failing_told_at` follows once the mail is handed over. Endpoints that fail by now are found by
 * the next look.
 */
export class SeeToOrders1764710000000 implements MigrationInterface {
  name = 'SeeToOrders1764710000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await runner.query(eraseAuditedTexts(`ARRAY['note', 'reason', 'trackingNumber']`, ''));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(eraseAuditedTexts(`ARRAY['note', 'trackingNumber']`, `AND after->>'milestoneId' IS NOT NULL`));
    await runner.query('DROP TABLE mails_sent');
    await runner.query('ALTER TABLE webhook_endpoint_health DROP COLUMN failing_since, DROP COLUMN failing_told_at');
    await runner.query('DROP TRIGGER order_attention_environment ON order_attention');
    await runner.query('DROP FUNCTION note_attention_environment()');
    await runner.query('DROP INDEX order_attention_open');
    await runner.query('ALTER TABLE order_attention DROP COLUMN environment');
    await runner.query('CREATE INDEX order_attention_open ON order_attention (raised_at, id) WHERE cleared_at IS NULL');
  }
}

const STATEMENTS = [
  `ALTER TABLE order_attention ADD COLUMN environment text CHECK (environment IN ('live', 'test'))`,
  `UPDATE order_attention a SET environment = o.environment FROM orders o WHERE o.id = a.order_id`,
  `ALTER TABLE order_attention ALTER COLUMN environment SET NOT NULL`,
  `CREATE FUNCTION note_attention_environment() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     SELECT environment INTO NEW.environment FROM orders WHERE id = NEW.order_id;
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER order_attention_environment BEFORE INSERT ON order_attention FOR EACH ROW EXECUTE FUNCTION note_attention_environment()`,
  `DROP INDEX order_attention_open`,
  `CREATE INDEX order_attention_open ON order_attention (environment, raised_at, id) WHERE cleared_at IS NULL`,
  `ALTER TABLE webhook_endpoint_health ADD COLUMN failing_since timestamptz(3), ADD COLUMN failing_told_at timestamptz(3)`,
  `CREATE TABLE mails_sent (id text PRIMARY KEY, sent_at timestamptz(3) NOT NULL)`,
];

/** The texts that people of the studio wrote about an erased order. The function runs as the owner and touches nothing else. */
const eraseAuditedTexts = (fields: string, only: string): string => `
  CREATE OR REPLACE FUNCTION erase_audited_texts(p_orders text[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.audit_log SET after = after
        || (SELECT COALESCE(jsonb_object_agg(field, '"[erased]"'::jsonb), '{}') FROM unnest(${fields}) field WHERE after->>field IS NOT NULL)
        || CASE WHEN after->>'trackingUrl' IS NULL THEN '{}'::jsonb ELSE '{"trackingUrl": null}' END
     WHERE after IS NOT NULL ${only}
       AND subject IN (SELECT id FROM public.orders WHERE id = ANY (p_orders) AND erased_at IS NOT NULL)
  $$`;
