import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';

/** A 32-byte key, and its id, which is stored with the ciphertext. */
interface CodecKey {
  id: string;
  key: Buffer;
}

/** The keys of `TEMPORAL_CODEC_KEY`: one encrypts (null: no encryption), all decrypt. */
export interface CodecKeys {
  encryptionKey: CodecKey | null;
  decryptionKeys: CodecKey[];
}

const ENCODING = 'binary/encrypted';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Parses one `id:base64url` of the setting; null if it is invalid. */
export function readCodecKey(text: string): CodecKey | null {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]{43}=?)$/.exec(text) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64url');
  return id === undefined || key.length !== 32 ? null : { id, key };
}

/**
 * Encrypts payloads in Temporal with AES-256-GCM. Decoding never throws, because that would fail workflow tasks forever
 * (https://github.com/temporalio/sdk-typescript/issues/1139). Plain and unreadable payloads stay unchanged; unreadable ones are then refused
 * as malformed messages.
 */
export class EncryptingCodec implements PayloadCodec {
  constructor(private readonly keys: CodecKeys) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const { encryptionKey } = this.keys;
    return encryptionKey === null ? payloads : payloads.map((payload) => encryptPayload(payload, encryptionKey));
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.decryptIfPossible(payload));
  }

  private decryptIfPossible(payload: Payload): Payload {
    if (textOf(payload.metadata?.encoding) !== ENCODING) return payload;
    const id = textOf(payload.metadata?.['encryption-key-id']);
    const key = this.keys.decryptionKeys.find((candidate) => candidate.id === id);
    try {
      return key === undefined ? payload : decryptPayload(payload, key);
    } catch {
      return payload;
    }
  }
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

/** Encrypts to IV, tag and ciphertext. The key id is authenticated too. */
function encryptPayload(payload: Payload, { id, key }: CodecKey): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
  const encrypted = Buffer.concat([cipher.update(packPayload(payload)), cipher.final()]);
  return {
    metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(id) },
    data: Buffer.concat([iv, cipher.getAuthTag(), encrypted]),
  };
}

function decryptPayload({ data }: Payload, { id, key }: CodecKey): Payload {
  const bytes = Buffer.from(data ?? []);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return unpackPayload(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]));
}

/** Packs a payload: the length of the metadata, the metadata as JSON, then the data. */
function packPayload({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, Buffer.from(data ?? [])]);
}

function unpackPayload(bytes: Buffer): Payload {
  const end = 4 + bytes.readUInt32BE();
  const entries = Object.entries(JSON.parse(bytes.toString('utf8', 4, end)) as Record<string, string>);
  return { metadata: Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value, 'base64')])), data: bytes.subarray(end) };
}
