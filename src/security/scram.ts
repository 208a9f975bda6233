import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;

/**
 * A password in PostgreSQL's stored form (SCRAM-SHA-256, RFC 5803), so no statement or server log contains it.
 * @param salt the default is 16 random bytes
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest();
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored.toString('base64')}:${keyOf('Server Key').toString('base64')}`;
}
