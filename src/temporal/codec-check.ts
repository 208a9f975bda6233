import type { Payload, PayloadCodec } from '@temporalio/common';
import { ConfigError } from '../config/config';
import type { Sql } from '../db/database';
import { readSetting, writeSetting, type CodecCheck } from '../db/repositories/settings';
import type { CodecKeys } from '../security/payload-codec';
import { payloadCodecs } from './codec';

const CHECK_PAYLOAD: Payload = { metadata: {}, data: Buffer.from('trade-print') };

/**
 * Checks that this process can decrypt the payloads of other processes. A worker without the right key would treat orders as unknown and
 * fail running workflows. The database keeps a test value that is encrypted with the current key.
 * @throws ConfigError if this process cannot decrypt it
 */
export async function assertCodecKeys(sql: Sql, keys: CodecKeys | null, now: Date): Promise<void> {
  const stored = await readSetting(sql, 'temporalCodec');
  const [codec] = payloadCodecs(keys);
  if (stored?.keyId && !(codec !== undefined && (await canDecrypt(codec, stored)))) {
    throw new ConfigError([
      `TEMPORAL_CODEC_KEY has no key "${stored.keyId}", which other processes use for Temporal's payloads; add it after the key that is to encrypt, or put plain first to encrypt no more`,
    ]);
  }
  const keyId = keys?.encryptionKey?.id ?? null;
  if (keyId === (stored?.keyId ?? null)) return;
  const [sealed] = codec === undefined ? [] : await codec.encode([CHECK_PAYLOAD]);
  await writeSetting(sql, 'temporalCodec', { keyId, sealed: Buffer.from(sealed?.data ?? []).toString('base64') }, now);
}

async function canDecrypt(codec: PayloadCodec, check: CodecCheck): Promise<boolean> {
  const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(check.keyId ?? '') };
  const [opened] = await codec.decode([{ metadata, data: Buffer.from(check.sealed, 'base64') }]);
  return Buffer.from(opened?.data ?? []).equals(Buffer.from(CHECK_PAYLOAD.data ?? []));
}
