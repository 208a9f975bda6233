import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen';

/** The path of the later version. Its responses are not checked against the contract. */
const PATH = '/later';

/** A later version of the API: the status `in_production` and the code QUOTE_ALREADY_ORDERED have names that no contract lists. */
export async function startFutureVersion(apiUrl: string): Promise<{ url: string; close(): Promise<unknown> }> {
  const server = createServer(
    (request, response) => void forward(apiUrl, request, response).catch((error: Error) => response.destroy(error)),
  );
  return {
    url: `http://${await listen(server)}${PATH}/v1`,
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}

async function forward(apiUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { authorization = '', 'idempotency-key': key = '', 'content-type': type = 'application/json' } = request.headers;
  const answer = await fetch(new URL((request.url ?? '').replace(PATH, ''), apiUrl), {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type, ...(key === '' ? {} : { 'idempotency-key': String(key) }) },
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
  });
  const text = (await answer.text())
    .replaceAll('"status":"in_production"', '"status":"quality_check"')
    .replaceAll('QUOTE_ALREADY_ORDERED', 'QUOTE_USED_UP');
  const requestId = answer.headers.get('service-request-id') ?? '';
  response.writeHead(answer.status, { 'content-type': 'application/json', 'service-request-id': requestId }).end(text);
}
