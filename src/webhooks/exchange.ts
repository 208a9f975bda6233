import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { AttemptFailure, systemCodeOf, type AttemptErrorCode, type Progress } from './outcome';

/** How much of a reply's body is read before the connection is cut, and how large its headers may be, in bytes. */
const REPLY_BYTES = 32 * 1024;
const HEADER_BYTES = 16 * 1024;

export interface Message {
  url: URL;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Sends one POST over an open connection and reads the reply into `progress`: its status, and its body up to 32 KiB. The
 * connection serves this request alone. Redirects are not followed and bodies not decompressed: neither is read as anything.
 * @throws AttemptFailure `reset`, `tls` or `protocol`.
 * @throws TypeError when a header of ours cannot be sent.
 */
export async function exchange(socket: Socket, message: Message, signal: AbortSignal, progress: Progress): Promise<void> {
  const startedMs = performance.now();
  const response = await replyTo(socket, message, signal, progress);
  progress.timings.firstByteMs = Math.round(performance.now() - startedMs);
  await readBody(response.message, response.failed, progress);
}

/** Resolves at the final status and headers; `failed` rejects when the connection breaks later. 1xx replies are passed over. */
function replyTo(socket: Socket, { url, headers, body }: Message, signal: AbortSignal, progress: Progress): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, ...headers, 'Content-Length': body.length },
      maxHeaderSize: HEADER_BYTES,
      insecureHTTPParser: false,
      signal,
    });
    const failed = new Promise<never>((_, fail) => {
      request.on('error', (error) => fail(new AttemptFailure(errorCodeOf(error))));
    });
    failed.catch(reject);
    request.on('upgrade', (response) => {
      progress.status = response.statusCode ?? null;
      reject(new AttemptFailure('protocol'));
    });
    request.on('response', (response) => {
      progress.status = response.statusCode ?? null;
      resolve({ message: response, failed });
    });
    request.end(body);
  });
}

interface Reply {
  message: IncomingMessage;
  failed: Promise<never>;
}

/** A body that breaks off is a failure; one that is merely long is not. */
async function readBody(response: IncomingMessage, failed: Promise<never>, progress: Progress): Promise<void> {
  const whole = readUpTo(response, progress).catch((error: unknown) => {
    throw new AttemptFailure(errorCodeOf(error));
  });
  await Promise.race([failed, whole]);
}

async function readUpTo(response: IncomingMessage, progress: Progress): Promise<void> {
  let total = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    progress.reply.push(chunk);
    total += chunk.length;
    if (total >= REPLY_BYTES) return;
  }
}

function errorCodeOf(error: unknown): AttemptErrorCode {
  const code = systemCodeOf(error);
  if (code.startsWith('HPE_')) return 'protocol';
  return /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? 'tls' : 'reset';
}
