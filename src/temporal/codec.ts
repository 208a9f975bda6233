import type { Payload, PayloadCodec } from '@temporalio/common';
import { EncryptingCodec, type CodecKeys } from '../security/payload-codec';

/** The codecs of client and worker; empty without keys. */
export function payloadCodecs(keys: CodecKeys | null): PayloadCodec[] {
  return keys === null ? [] : [new EncryptingCodec(keys)];
}

/** A payload in JSON: base64 text instead of bytes. */
interface JsonPayload {
  metadata?: Record<string, string>;
  data?: string;
}

/** Decodes every payload in the JSON of a history or of payloads. Other values are unchanged. */
export async function decodeJson(codecs: readonly PayloadCodec[], value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((part) => decodeJson(codecs, part)));
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonPayload(value)) return decodePayload(codecs, value);
  const entries = Object.entries(value).map(async ([name, part]) => [name, await decodeJson(codecs, part)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function isJsonPayload(value: object): value is JsonPayload {
  const { metadata } = value as { metadata?: unknown };
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    'encoding' in metadata &&
    Object.values(metadata).every((part) => typeof part === 'string')
  );
}

async function decodePayload(codecs: readonly PayloadCodec[], { metadata = {}, data = '' }: JsonPayload): Promise<JsonPayload> {
  const bytes = Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  let payloads: Payload[] = [{ metadata: bytes, data: Buffer.from(data, 'base64') }];
  for (const codec of codecs) payloads = await codec.decode(payloads);
  const [opened] = payloads;
  const encodedMetadata = Object.entries(opened?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return { metadata: Object.fromEntries(encodedMetadata), data: Buffer.from(opened?.data ?? []).toString('base64') };
}
