import type { Sql } from '../database';
import { tokenWorks } from './tokens';

/** What a request to the studio API came with. */
export type StudioCredential = { kind: 'token'; tokenId: string } | { kind: 'session'; idHash: Buffer };

/** Without a request of the browser a session ends after so long (ruling 66). */
const IDLE = `interval '30 minutes'`;

/** Neither over nor idle for too long, by the database's clock. */
const open = (alias: string): string => `${alias}.expires_at > clock_timestamp() AND ${alias}.seen_at > clock_timestamp() - ${IDLE}`;

/**
 * Whether what a request came with would still be let in: the token neither revoked nor expired, the session neither ended, over nor idle
 * for too long. Asking changes nothing, so an answer that goes on for hours keeps no session awake by asking (ruling 66).
 */
export async function stillStands(sql: Sql, credential: StudioCredential): Promise<boolean> {
  const [text, value] =
    credential.kind === 'token'
      ? [`SELECT id FROM studio_tokens t WHERE t.id = $1 AND ${tokenWorks('t')}`, credential.tokenId]
      : [
          `SELECT t.id FROM studio_sessions s JOIN studio_tokens t ON t.id = s.token_id WHERE s.id_hash = $1 AND ${open('s')} AND ${tokenWorks('t')}`,
          credential.idHash,
        ];
  return (await sql.row(text, [value])) !== null;
}
