import type { Payload, PayloadCodec } from '@temporalio/common';
import { ConfigError } from '../config';
import type { Sql } from '../db/database';
import { readCodecCheck, writeCodecCheck, type CodecCheck } from '../db/repositories/settings';
import type { CodecKeys } from '../security/payload-codec';
import { payloadCodecs } from './codec';

const CHECK_PAYLOAD: Payload = { metadata: {}, data: Buffer.from('trade-print') };

/**
 * Makes sure, before this process takes or sends anything, that it can read what the others write: a worker without the right key would
 * take orders for unknown, and fail workflows under way. For the test the database keeps something sealed with the key used last.
 * @throws ConfigError where this process cannot open it
 */
export async function assertCodecKeys(sql: Sql, keys: CodecKeys | null, now: Date): Promise<void> {
  const stored = await readCodecCheck(sql);
  const [codec] = payloadCodecs(keys);
  if (stored?.keyId && !(codec !== undefined && (await canDecrypt(codec, stored)))) {
    throw new ConfigError([
      `TEMPORAL_CODEC_KEY does not hold the key "${stored.keyId}", with which the other processes encrypt what Temporal stores; ${'add it, behind the first where another is to encrypt from now on, or write plain first to encrypt no more'}`,
    ]);
  }
  const keyId = keys?.encryptionKey?.id ?? null;
  if (keyId === (stored?.keyId ?? null)) return;
  const [sealed] = codec === undefined ? [] : await codec.encode([CHECK_PAYLOAD]);
  await writeCodecCheck(sql, { keyId, sealed: Buffer.from(sealed?.data ?? []).toString('base64') }, now);
}

async function canDecrypt(codec: PayloadCodec, check: CodecCheck): Promise<boolean> {
  const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(check.keyId ?? '') };
  const [opened] = await codec.decode([{ metadata, data: Buffer.from(check.sealed, 'base64') }]);
  return Buffer.from(opened?.data ?? []).equals(Buffer.from(CHECK_PAYLOAD.data ?? []));
}
