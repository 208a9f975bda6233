/**
 * Artwork in an S3-compatible store. The presigned PUT signs `host` and `content-length`, but not `content-type` (specification
 * "POST /uploads"). By default the SDK would not sign Content-Length and would add a checksum.
 */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Readable } from 'node:stream';
import { targetLifetimeSeconds } from '../domain/artwork-rules';
import { ApiError } from '../domain/errors';
import type { PreviewSize } from '../domain/inspection';
import { READ_URL_SECONDS, unsignedUrl } from '../security/signed-urls';
import { parseArtworkKey, previewKey, previewKeys } from './artwork-key';
import { assertKey } from './local';
import { SERVED_CONTENT_TYPE, servedDisposition, StoreUnavailable } from './types';
import type { ArtworkStat, ArtworkStorage, StoredObject, UploadTarget, UploadTargetRequest } from './types';

/** The `S3_*` settings. */
export interface S3Settings {
  bucket: string;
  region: string;
  /** The store's endpoint for this service; null for AWS. */
  endpoint: string | null;
  /**
   * The bucket's URL for clients, such as `http://localhost:7070/artwork` or `https://artwork.s3.ap-southeast-2.amazonaws.com`. `url` and
   * `uploadUrl` begin with it. Host and path are signed, so proxies must not change them.
   */
  publicUrl: string;
  /** Null: the AWS SDK's default chain, such as a web identity, or the role of a container or instance. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  forcePathStyle: boolean;
}

const SIGNED_UPLOAD_HEADERS = new Set(['host', 'content-length']);

/** The checksum of a file in an S3 store is its ETag. */
const ETAG_PREFIX = 'etag:';

/** A connection without data for this time is closed. The caller retries. */
const IDLE_TIMEOUT_MS = 30_000;

export class S3ArtworkStorage implements ArtworkStorage {
  readonly arrivals = 'polled';
  private readonly client: S3Client;
  /** Signs URLs for clients, whose endpoint may differ from this service's. Never connects. */
  private readonly signer: S3Client;
  private bucketFoundAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly settings: S3Settings,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
  ) {
    const { endpoint, forcePathStyle, publicUrl } = settings;
    const requestHandler = { connectionTimeout: RESPONSE_TIMEOUT_MS, socketTimeout: idleTimeoutMs };
    this.client = new S3Client({ ...clientConfig(settings), requestHandler, forcePathStyle, ...(endpoint && { endpoint }) });
    const { credentials } = this.client.config;
    this.signer = new S3Client({ ...clientConfig(settings), credentials, endpoint: publicUrl, bucketEndpoint: true });
  }

  async createUploadTarget(input: UploadTargetRequest): Promise<UploadTarget> {
    assertKey(input.key);
    const { publicUrl } = this.settings;
    const command = new PutObjectCommand({ Bucket: publicUrl, Key: input.key, ContentLength: input.sizeBytes });
    const expiresIn = targetLifetimeSeconds(input.sizeBytes);
    const uploadUrl = await getSignedUrl(this.signer, command, { expiresIn, signableHeaders: SIGNED_UPLOAD_HEADERS });
    // A URL that a temporary identity signed ends with that identity.
    const { expiration } = await this.signer.config.credentials();
    const expiresAt = new Date(Math.min(Date.now() + expiresIn * 1000, expiration?.getTime() ?? Infinity));
    return { uploadUrl, contentType: input.contentType, url: unsignedUrl(publicUrl, input.key), key: input.key, expiresAt };
  }

  async stat(key: string): Promise<ArtworkStat | null> {
    try {
      const head = await answered(this.client.send(new HeadObjectCommand({ Bucket: this.settings.bucket, Key: key }), withTimeout()));
      const checksum = head.ETag === undefined ? null : ETAG_PREFIX + head.ETag.replaceAll('"', '');
      return { sizeBytes: head.ContentLength ?? 0, checksum };
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.assertBucketExists();
      return null;
    }
  }

  async openRead(key: string, checksum: string | null): Promise<Readable> {
    const etag = checksum?.startsWith(ETAG_PREFIX) === true ? checksum.slice(ETAG_PREFIX.length) : null;
    const condition = etag === null ? {} : { IfMatch: `"${etag}"` };
    try {
      const object = await answered(this.client.send(new GetObjectCommand({ Bucket: this.settings.bucket, Key: key, ...condition })));
      if (object.Body instanceof Readable) return object.Body;
    } catch (error) {
      if (!isMissing(error) && !isReplaced(error)) throw error;
    }
    throw new ApiError('NOT_FOUND', 'This artwork is not stored here.');
  }

  async signedReadUrl(key: string): Promise<string> {
    assertKey(key);
    const served = { ResponseContentDisposition: servedDisposition(key), ResponseContentType: SERVED_CONTENT_TYPE };
    const command = new GetObjectCommand({ Bucket: this.settings.publicUrl, Key: key, ...served });
    return getSignedUrl(this.signer, command, { expiresIn: READ_URL_SECONDS });
  }

  async isAvailable(): Promise<boolean> {
    return true;
  }

  /** Removes the previews first: after a crash the artwork still exists and is removed again. */
  async remove(key: string): Promise<void> {
    if (parseArtworkKey(key) === null) return;
    await this.removePreview(key);
    await this.removeObject(key);
  }

  async writePreview(key: string, size: PreviewSize, bytes: Buffer): Promise<void> {
    const object = { Bucket: this.settings.bucket, Key: previewKey(key, size), Body: bytes, ContentType: SERVED_CONTENT_TYPE };
    await answered(this.client.send(new PutObjectCommand(object), withTimeout()));
  }

  async readPreview(key: string, size: PreviewSize): Promise<Buffer | null> {
    try {
      const named = { Bucket: this.settings.bucket, Key: previewKey(key, size) };
      const object = await answered(this.client.send(new GetObjectCommand(named), withTimeout()));
      return object.Body === undefined ? null : Buffer.from(await answered(object.Body.transformToByteArray()));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async removePreview(key: string): Promise<void> {
    await Promise.all(previewKeys(key).map((preview) => this.removeObject(preview)));
  }

  async list(after: string, limit: number): Promise<StoredObject[]> {
    const listing = new ListObjectsV2Command({
      Bucket: this.settings.bucket,
      Prefix: 'artwork/',
      MaxKeys: limit,
      ...(after && { StartAfter: after }),
    });
    const { Contents = [] } = await answered(this.client.send(listing, withTimeout()));
    return Contents.flatMap(({ Key: key, LastModified: storedAt }) => (key && storedAt ? [{ key, storedAt }] : []));
  }

  async close(): Promise<void> {
    this.client.destroy();
    this.signer.destroy();
  }

  /** HEAD answers 404 also if the bucket is missing, without its error. @throws NoSuchBucket */
  private async assertBucketExists(): Promise<void> {
    if (performance.now() - this.bucketFoundAtMs < BUCKET_CHECK_MS) return;
    await this.list('', 1).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    this.bucketFoundAtMs = performance.now();
  }

  /** Some stores, such as Google Cloud Storage, answer 404 if the object is missing. */
  private async removeObject(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.settings.bucket, Key: key });
    await answered(this.client.send(command, withTimeout())).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

/** Stores bill each list, and a client may ask for a missing file many times. */
const BUCKET_CHECK_MS = 60_000;
/** A store that has not answered by then counts as unavailable. */
const RESPONSE_TIMEOUT_MS = 10_000;

function withTimeout(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) };
}

function clientConfig({ region, credentials }: S3Settings): S3ClientConfig {
  return {
    region,
    ...(credentials && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

/** @throws StoreUnavailable */
async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(error) : error;
  }
}

/** True for a timeout, a failed connection and a store that is overloaded or broken. Other refusals, such as a wrong key, do not pass. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof S3ServiceException) return (error.$metadata.httpStatusCode ?? 500) >= 500 || error.$retryable?.throttling === true;
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'TimeoutError' || name === 'AbortError' || (typeof code === 'string' && /^E(?:AI_)?[A-Z]+$/.test(code));
}

/** Another file than the one of the condition is stored. */
const isReplaced = (error: unknown): boolean => error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412;

function isMissing(error: unknown): boolean {
  if (error instanceof NotFound || error instanceof NoSuchKey) return true;
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}
