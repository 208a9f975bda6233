import { Agent, request } from 'node:http';
import type { TestService } from '../../../support/service';
import { holdToContract } from '../../../support/contract';
import type { Plan } from './requests';
import type { World } from './world';

/** A request as it went out, and what came back. */
export interface Exchange {
  plan: Plan;
  /** Everything that was sent, for telling an echo from a leak. */
  sent: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends plans over connections of its own; Node's own client, which takes paths and headers that others refuse. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly service: TestService,
    private readonly world: World,
  ) {}

  async send(plan: Plan): Promise<Exchange> {
    const environment = plan.credential.kind === 'good' ? plan.credential.environment : 'test';
    const path = await this.world.resolved(plan.path, environment);
    const body = typeof plan.body === 'string' ? await this.world.resolved(plan.body, environment) : plan.body;
    const authorization = await this.authorization(plan);
    const headers = { ...plan.headers, ...(authorization === null ? {} : { authorization }) };
    const answer = await this.exchange(plan, path, headers, body);
    holdToContract(plan.api, plan.method, path, answer);
    return { plan, sent: `${path}\n${JSON.stringify(plan.headers)}\n${body?.toString() ?? ''}`, ...answer };
  }

  close(): void {
    this.agent.destroy();
  }

  private async authorization({ credential, endpoint, method }: Plan): Promise<string | null> {
    switch (credential.kind) {
      case 'none':
        return null;
      case 'sent':
        return credential.text;
      case 'bad':
        return `Bearer ${this.world.badKeys[credential.at % this.world.badKeys.length]}`;
      case 'role':
        return `Bearer ${this.world.tokens[credential.role]}`;
      case 'good':
        return `Bearer ${await this.world.keyFor(credential.environment, `${method} for ${endpoint}`)}`;
      default:
        throw new Error(`unexpected credential ${JSON.stringify(credential satisfies never)}`);
    }
  }

  private exchange(
    { api, method }: Plan,
    path: string,
    headers: Plan['headers'],
    body: string | Buffer | null,
  ): Promise<Pick<Exchange, 'status' | 'headers' | 'text'>> {
    const { tradePort, studioPort } = this.service.api;
    const [port, prefix] = api === 'trade' ? [tradePort, '/v1'] : [studioPort, '/studio/v1'];
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.agent,
          host: '127.0.0.1',
          port,
          method,
          path: `${prefix}${path}`,
          headers: { ...headers, ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }) },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      outgoing.once('error', reject);
      outgoing.end(body ?? undefined);
    });
  }
}
