import { request, type Dispatcher } from 'undici';

export interface Refusal {
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

/** What the demo expected of an answer did not come: says what was asked and what was answered. */
export class DemoProblem extends Error {}

/** A client as a trade customer would write it: real HTTP, the envelope taken apart. */
export class DemoClient {
  constructor(
    private readonly baseUrl: string,
    private readonly credential: string,
  ) {}

  /** The answer's data. @throws DemoProblem for anything but a success */
  async call<T>(method: Dispatcher.HttpMethod, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    const { status, data, error } = await this.send<T>(method, path, body, headers);
    if (data === null) throw new DemoProblem(`${method} ${path} answered ${status} ${error?.code}: ${error?.message}`);
    return data;
  }

  /** The refusal that the demo is about to show. @throws DemoProblem where it succeeds, or is refused with another code */
  async refused(code: string, method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Refusal & { status: number }> {
    const { status, error } = await this.send(method, path, body, {});
    if (error?.code !== code)
      throw new DemoProblem(`${method} ${path} should be refused with ${code}; it answered ${status} ${error?.code ?? 'success'}`);
    return { ...error, status };
  }

  private async send<T>(method: Dispatcher.HttpMethod, path: string, body: object | undefined, headers: Record<string, string>) {
    const reply = await request(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.credential}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      body: body ? JSON.stringify(body) : null,
    }).catch((error: Error) => {
      throw new DemoProblem(
        `nothing answers at ${this.baseUrl} (${error.message}); start the service with npm start; where it was started with API_PORT, STUDIO_PORT or another setting of addresses, set the same here`,
      );
    });
    const { data, error } = (await reply.body.json()) as { data: T | null; error: Refusal | null };
    return { status: reply.statusCode, data, error };
  }
}

/** PUTs the bytes where `POST /uploads` said. */
export async function putBytes(url: string, contentType: string, bytes: Buffer): Promise<void> {
  const reply = await request(url, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': String(bytes.length) },
    body: bytes,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new DemoProblem(`the store answered ${reply.statusCode}: ${text.slice(0, 300)}`);
}
