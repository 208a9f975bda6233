import { toError } from '../response.js';
import type { Deadline } from '../deadline.js';
import type { Settings } from '../options.js';
import { withRetries } from '../retry.js';
import { isNode } from '../runtime.js';
import { send, type RequestInitOptions } from '../transport.js';
import type { Artwork } from './artwork.js';

export interface UploadProgress {
  /** Handed to the network so far. A repeat after a failure begins again at 0. */
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
 * PUTs the bytes to the signed URL, which takes exactly so many of them; the same bytes twice are once. A stream is read once, so what
 * fails on its way is not repeated.
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

/** The caller's own error: a stream of another length, or what `onProgress` threw. fetch would report a broken connection. */
interface CallerError {
  error: unknown;
}

/** One attempt's body, counted as it is taken. */
class CountedBody {
  callerError: CallerError | null = null;
  #sentBytes = 0;
  readonly #put: ArtworkPut;

  constructor(put: ArtworkPut) {
    this.#put = put;
  }

  init(): RequestInitOptions {
    const { artwork, contentType } = this.#put;
    // A redirect is somebody else's: followed as a GET it would end well, and nothing would be stored.
    const base = { method: 'PUT', redirect: 'manual' } as const;
    const headers = { 'content-type': contentType };
    this.reportProgress(0);
    // A page sends a Blob with its length and cannot watch it leave; Node takes the length from us.
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
    this.#note(() => this.#put.onProgress?.({ sentBytes, totalBytes: this.#put.artwork.sizeBytes }));
  }

  #stream(): ReadableStream<Uint8Array> {
    const { artwork } = this.#put;
    let readBytes = 0;
    const throwLengthError = (): never => {
      throw new TypeError(
        `the stream gave ${readBytes} bytes${readBytes > artwork.sizeBytes ? ' or more' : ''}, and sizeBytes is ${artwork.sizeBytes}`,
      );
    };
    return artwork.open().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          readBytes += chunk.length;
          if (readBytes > artwork.sizeBytes) this.#note(throwLengthError);
          controller.enqueue(chunk);
          this.reportProgress(readBytes);
        },
        flush: () => {
          if (readBytes < artwork.sizeBytes) this.#note(throwLengthError);
        },
      }),
    );
  }

  #note(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.callerError ??= { error };
      throw error;
    }
  }
}
