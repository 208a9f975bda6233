import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../support/listen';

interface Session {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/**
 * An S3 store that verifies the signatures of a temporary session as AWS does (Signature Version 4), which versitygw cannot do without a
 * separate identity service. It answers 403 to every other request.
 */
export async function startSessionStore(session: Session): Promise<{ endpoint: string; close(): void }> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { pathname } = new URL(request.url ?? '', 'http://store');
      if (!isSigned(request, session)) return response.writeHead(403).end();
      if (request.method === 'PUT') objects.set(pathname, body);
      if (request.method === 'DELETE') objects.delete(pathname);
      const object = objects.get(pathname);
      if (object === undefined) return response.writeHead(request.method === 'DELETE' ? 204 : 404).end();
      return response
        .writeHead(200, { 'content-length': request.method === 'PUT' ? 0 : object.length })
        .end(request.method === 'GET' ? object : '');
    });
  });
  return { endpoint: `http://${await listen(server)}`, close: () => server.close() };
}

/** Whether the header or the query of a request has the session's signature and token. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, session: Session): boolean {
  const [path = '', search = ''] = url.split('?');
  const query = new URLSearchParams(search);
  const header = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '');
  const [credential = '', signedHeaders = '', signature = ''] =
    header?.slice(1) ?? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => query.get(name) ?? '');
  const time = query.get('X-Amz-Date') ?? String(headers['x-amz-date']);
  const token = query.get('X-Amz-Security-Token') ?? headers['x-amz-security-token'];
  const [accessKeyId, ...scope] = credential.split('/');
  const canonicalQuery = search.split('&').filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='));
  const canonicalRequest = [
    method,
    path,
    canonicalQuery
      .map((part) => (part.includes('=') ? part : `${part}=`))
      .toSorted()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'] ?? query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const digest = createHash('sha256').update(canonicalRequest).digest('hex');
  const key = scope.reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${session.secretAccessKey}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), digest].join('\n')).toString('hex');
  return accessKeyId === session.accessKeyId && token === session.sessionToken && signature === expected;
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
