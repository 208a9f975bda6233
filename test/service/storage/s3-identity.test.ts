import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createArtworkStorage, type ArtworkStorage } from '../../../src/storage';
import { startSessionStore } from './session-store';
import { newKey, putBytes, send } from './support';
import { listen } from '../../support/listen';

const SESSION = { accessKeyId: 'ASIATESTSESSION', secretAccessKey: 'secret-of-the-session', sessionToken: 'session/token+with=signs' };
const ROLE = 'arn:aws:iam::123456789012:role/print';

/** The AWS SDK finds the identity of a workload by these variables, which Kubernetes and ECS set. */
const VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
  'AWS_ROLE_ARN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ENDPOINT_URL_STS',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_EC2_METADATA_DISABLED',
];

describe('S3 by workload identity', () => {
  let store: Awaited<ReturnType<typeof startSessionStore>>;
  let folder: string;
  const cleanUps: (() => unknown)[] = [];
  const outside = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

  beforeAll(async () => {
    store = await startSessionStore(SESSION);
    folder = mkdtempSync(join(tmpdir(), 'trade-print-identity-'));
  });
  beforeEach(() => useVariables({ AWS_EC2_METADATA_DISABLED: 'true' }));
  afterEach(async () => {
    setVariables(outside);
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });
  afterAll(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Without the files of a person who uses the AWS command line. */
  const useVariables = (values: Record<string, string>): void =>
    setVariables({ AWS_SHARED_CREDENTIALS_FILE: '/dev/null', AWS_CONFIG_FILE: '/dev/null', ...values });
  function setVariables(values: Record<string, string | undefined>): void {
    for (const name of VARIABLES) {
      if (values[name] === undefined) delete process.env[name];
      else process.env[name] = values[name];
    }
  }

  /** A server that gives out credentials; it keeps the requests. */
  async function serve(answer: RequestListener): Promise<{ url: string; requests: IncomingMessage[] }> {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    cleanUps.push(() => server.close());
    return { url: `http://${await listen(server)}`, requests };
  }

  function storageWithoutKeys(): ArtworkStorage {
    const { endpoint } = store;
    const s3 = {
      bucket: 'artwork',
      region: 'eu-west-1',
      endpoint,
      publicUrl: `${endpoint}/artwork`,
      credentials: null,
      forcePathStyle: true,
    };
    const storage = createArtworkStorage({ s3, local: { dir: 'unused', secret: 'unused', publicUrl: 'http://unused' } });
    cleanUps.push(() => storage.close?.());
    return storage;
  }

  async function expectWorking(storage: ArtworkStorage, expiration: Date): Promise<void> {
    const { uploadUrl, key, expiresAt } = await storage.createUploadTarget({ key: newKey(), contentType: 'image/png', sizeBytes: 10 });
    const { searchParams } = new URL(uploadUrl);
    expect(searchParams.get('X-Amz-Security-Token')).toBe(SESSION.sessionToken);
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
    // The URL ends with the identity, ten minutes from now; otherwise it would last for fifteen.
    expect(expiresAt).toEqual(expiration);
    expect((await putBytes(uploadUrl.replace(/X-Amz-Security-Token=[^&]*&/, ''), '0123456789')).status).toBe(403);
    expect((await putBytes(uploadUrl, '0123456789')).status).toBe(200);
    expect(await storage.stat(key, null)).toMatchObject({ sizeBytes: 10 });
    expect(await send(await storage.signedReadUrl(key, null), { method: 'GET' })).toMatchObject({ status: 200, text: '0123456789' });
    await storage.remove(key);
    expect(await storage.stat(key, null)).toBeNull();
  }

  /** Without fractions of a second, as the servers of AWS write it. */
  const inTenMinutes = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + 600_000);

  it('a container role signs requests and URLs, and is asked for once', async () => {
    const expiration = inTenMinutes();
    const { url, requests } = await serve((_request, response) => {
      const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token } = SESSION;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ AccessKeyId, SecretAccessKey, Token, Expiration: expiration.toISOString() }));
    });
    useVariables({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/role`, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of-the-container' });
    await expectWorking(storageWithoutKeys(), expiration);
    expect(requests.map((request) => [request.url, request.headers.authorization])).toEqual([['/role', 'of-the-container']]);
  });

  it('a web identity is exchanged for a role at STS', async () => {
    const expiration = inTenMinutes();
    const bodies: Promise<string>[] = [];
    const { url } = await serve((request, response) => {
      bodies.push(text(request));
      response.setHeader('content-type', 'text/xml');
      response.end(`<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
        <AssumedRoleUser><Arn>${ROLE}/session</Arn><AssumedRoleId>id:session</AssumedRoleId></AssumedRoleUser><Credentials>
        <AccessKeyId>${SESSION.accessKeyId}</AccessKeyId><SecretAccessKey>${SESSION.secretAccessKey}</SecretAccessKey>
        <SessionToken>${SESSION.sessionToken}</SessionToken><Expiration>${expiration.toISOString()}</Expiration></Credentials>
        </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`);
    });
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'token-of-the-service-account');
    useVariables({ AWS_ROLE_ARN: ROLE, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile, AWS_ENDPOINT_URL_STS: url });
    await expectWorking(storageWithoutKeys(), expiration);
    const [body] = await Promise.all(bodies);
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      Action: 'AssumeRoleWithWebIdentity',
      RoleArn: ROLE,
      WebIdentityToken: 'token-of-the-service-account',
    });
    expect(bodies).toHaveLength(1);
  });

  it('without keys and identity, the error says so', async () => {
    useVariables({ AWS_EC2_METADATA_DISABLED: 'true' });
    await expect(storageWithoutKeys().stat(newKey(), null)).rejects.toMatchObject({ name: 'CredentialsProviderError' });
  });
});
