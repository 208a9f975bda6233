import { toError } from '../response.js';
import type { Deadline } from '../deadline.js';
import type { Settings } from '../options.js';
import { withRetries } from '../retry.js';
import { isNode } from '../runtime.js';
import { send, type RequestInitOptions } from '../transport.js';
import type { Artwork } from './artwork.js';

export interface UploadProgress {
  /** Bytes passed to the network. A retry starts again at 0. */
  sentBytes: number;
  totalBytes: number;
}

interface ArtworkPut {
  artwork: Artwork;
  uploadUrl: string;
  contentType: string;
  requestId: string;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/**
 * PUTs the bytes to the signed URL. Sending the same bytes twice has no further effect. A stream can be read only once, so its upload is
 * not retried.
 */
export async function putArtwork(
  { fetch, maxRetries }: Pick<Settings, 'fetch' | 'maxRetries'>,
  put: ArtworkPut,
  deadline: Deadline,
): Promise<void> {
  const attempt = async (): Promise<CallerError | null> => {
    const body = new CountedBody(put);
    try {
      const buffered = await send(fetch, put.uploadUrl, body.init(), deadline, put.requestId);
      if (!buffered.response.ok) throw toError(buffered);
      body.reportProgress(put.artwork.sizeBytes);
    } catch (error) {
      if (body.callerError === null) throw error;
    }
    return body.callerError;
  };
  const callerError = await withRetries(attempt, { maxRetries: put.artwork.blob === null ? 0 : maxRetries, deadline });
  if (callerError !== null) throw callerError.error;
}

/** A wrong stream length or an error in `onProgress`. It is kept, because fetch would report it as a broken connection. */
interface CallerError {
  error: unknown;
}

/** The body of one attempt. It counts the bytes that fetch reads. */
class CountedBody {
  callerError: CallerError | null = null;
  #sentBytes = 0;
  readonly #put: ArtworkPut;

  constructor(put: ArtworkPut) {
    this.#put = put;
  }

  init(): RequestInitOptions {
    const { artwork, contentType } = this.#put;
    // fetch would follow a redirect as a GET, which could succeed without storing anything.
    const base = { method: 'PUT', redirect: 'manual' } as const;
    const headers = { 'content-type': contentType };
    this.reportProgress(0);
    // A browser sets the length of a Blob itself and reports no progress. Node needs the length from us.
    if (!isNode && artwork.blob !== null) return { ...base, headers, body: artwork.blob };
    return {
      ...base,
      headers: { ...headers, 'content-length': String(artwork.sizeBytes) },
      body: this.#stream(),
      duplex: 'half',
    };
  }

  reportProgress(sentBytes: number): void {
    if (sentBytes > 0 && sentBytes === this.#sentBytes) return;
    this.#sentBytes = sentBytes;
    this.#keepCallerError(() => this.#put.onProgress?.({ sentBytes, totalBytes: this.#put.artwork.sizeBytes }));
  }

  #stream(): ReadableStream<Uint8Array> {
    const { artwork } = this.#put;
    let readBytes = 0;
    const throwLengthError = (): never => {
      throw new TypeError(
        `the stream yielded ${readBytes} bytes${readBytes > artwork.sizeBytes ? ' or more' : ''}, but sizeBytes is ${artwork.sizeBytes}`,
      );
    };
    return artwork.open().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          readBytes += chunk.length;
          if (readBytes > artwork.sizeBytes) this.#keepCallerError(throwLengthError);
          controller.enqueue(chunk);
          this.reportProgress(readBytes);
        },
        flush: () => {
          if (readBytes < artwork.sizeBytes) this.#keepCallerError(throwLengthError);
        },
      }),
    );
  }

  #keepCallerError(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.callerError ??= { error };
      throw error;
    }
  }
}
