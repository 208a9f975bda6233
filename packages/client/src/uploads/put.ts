import { errorOf } from '../answer.js';
import type { Deadline } from '../deadline.js';
import type { Settings } from '../options.js';
import { withRetries } from '../retry.js';
import { isNode } from '../runtime.js';
import { send, type Init } from '../transport.js';
import type { Artwork } from './artwork.js';

export interface UploadProgress {
  /** Handed to the network so far. A repeat after a failure begins again at 0. */
  sentBytes: number;
  totalBytes: number;
}

interface Put {
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
  put: Put,
  deadline: Deadline,
): Promise<void> {
  const attempt = async (): Promise<Mistake | null> => {
    const counted = new Counted(put);
    try {
      const read = await send(fetch, put.uploadUrl, counted.init(), deadline, put.requestId);
      if (!read.response.ok) throw errorOf(read);
      counted.tell(put.artwork.sizeBytes);
    } catch (error) {
      if (counted.mistake === null) throw error;
    }
    return counted.mistake;
  };
  const mistake = await withRetries(attempt, { maxRetries: put.artwork.blob === null ? 0 : maxRetries, deadline });
  if (mistake !== null) throw mistake.error;
}

/** The caller's own error: a stream of another length, or what `onProgress` threw. fetch would report a broken connection. */
interface Mistake {
  error: unknown;
}

/** One attempt's body, counted as it is taken. */
class Counted {
  mistake: Mistake | null = null;
  #sentBytes = 0;
  readonly #put: Put;

  constructor(put: Put) {
    this.#put = put;
  }

  init(): Init {
    const { artwork, contentType } = this.#put;
    // A redirect is somebody else's: followed as a GET it would end well, and nothing would be stored.
    const asked = { method: 'PUT', redirect: 'manual' } as const;
    const headers = { 'content-type': contentType };
    this.tell(0);
    // A page sends a Blob with its length and cannot watch it leave; Node takes the length from us.
    if (!isNode && artwork.blob !== null) return { ...asked, headers, body: artwork.blob };
    return {
      ...asked,
      headers: { ...headers, 'content-length': String(artwork.sizeBytes) },
      body: this.#stream(),
      duplex: 'half',
    };
  }

  tell(sentBytes: number): void {
    if (sentBytes > 0 && sentBytes === this.#sentBytes) return;
    this.#sentBytes = sentBytes;
    this.#note(() => this.#put.onProgress?.({ sentBytes, totalBytes: this.#put.artwork.sizeBytes }));
  }

  #stream(): ReadableStream<Uint8Array> {
    const { artwork } = this.#put;
    let taken = 0;
    const refuse = (): never => {
      throw new TypeError(
        `the stream gave ${taken} bytes${taken > artwork.sizeBytes ? ' or more' : ''}, and sizeBytes is ${artwork.sizeBytes}`,
      );
    };
    return artwork.open().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          taken += chunk.length;
          if (taken > artwork.sizeBytes) this.#note(refuse);
          controller.enqueue(chunk);
          this.tell(taken);
        },
        flush: () => {
          if (taken < artwork.sizeBytes) this.#note(refuse);
        },
      }),
    );
  }

  #note(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.mistake ??= { error };
      throw error;
    }
  }
}
