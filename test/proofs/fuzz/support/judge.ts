import type { TestService } from '../../../support/service';
import type { Exchange } from './send';
import { MARKS, type World } from './world';

/** What the inside of the service looks like: stacks, SQL, its errors, files. */
const INSIDE = [
  /\n\s+at .+:\d+/,
  /\\n\s+at .+:\d+/,
  /node_modules/,
  /node:internal/,
  /\b(src|dist|test)\/[\w/-]+\.(ts|js)\b/,
  /\/(tmp|home|root|usr|var|etc)\/[\w-]/,
  /QueryFailed|TypeError|RangeError|ReferenceError|SyntaxError/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^"]{0,200}\b(FROM|VALUES|SET|WHERE)\b/,
  /violates (unique|foreign|check|not-null)|relation "|column "|invalid (byte sequence|input syntax)|pg_|postgres/i,
  /ECONN|ENOENT|EPIPE|EADDR/,
  /\bundefined\b|\[object Object\]|\bNaN\b/,
  /temporal:|workflow(Id|Type)/i,
];
const CREDENTIALS = /\b(lpk_(live|test)_[0-9a-f]{64}|lps_[0-9a-f]{64}|lpw_[0-9a-f]{16,})/g;
/** Where a credential is shown, once. */
const SHOWS_CREDENTIALS = [
  'studio POST /accounts/:id/keys',
  'studio POST /tokens',
  'studio POST /accounts/:id/webhook-endpoints',
  'studio POST /webhook-endpoints/:id/rotate-secret',
];

/** Outside the envelope, as the contract says, to which every answer is held as well. */
const FILES = ['application/pdf', 'image/webp', 'text/csv; charset=utf-8'];

/** Judges answers by what must hold for every one of them. */
export class Judge {
  private readonly secrets: string[];

  constructor(
    service: TestService,
    private readonly world: World,
  ) {
    const { DATABASE_URL = '', DATA_DIR = '', TEMPORAL_ADDRESS = '' } = service.env;
    const { username, password, pathname } = new URL(DATABASE_URL);
    this.secrets = [
      service.adminToken,
      DATABASE_URL,
      DATA_DIR,
      TEMPORAL_ADDRESS,
      password,
      pathname.slice(1),
      ...(username.length > 8 ? [username] : []),
    ].filter((text) => text.length > 3);
  }

  /** What is wrong with this answer; empty where nothing is. */
  faults(exchange: Exchange): string[] {
    return [...this.envelope(exchange), ...this.insides(exchange), ...this.leaks(exchange)];
  }

  private envelope({ status, text, headers, plan }: Exchange): string[] {
    if (status >= 500) return [`status ${status}`];
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(String(headers['service-request-id']))) return ['no Service-Request-Id'];
    if (status === 304) return text === '' ? [] : ['a 304 with a body'];
    if (status === 200 && FILES.includes(String(headers['content-type']))) return [];
    if (headers['content-type'] !== 'application/json; charset=utf-8') return [`content type ${headers['content-type']}`];
    const json = parsed(text);
    const keys = Object.keys(json ?? {})
      .filter((key) => key !== 'nextCursor')
      .join();
    if (json === null || keys !== 'data,error') return [`no envelope: ${keys}`];
    if (status < 300) return json.error === null && json.data !== null ? [] : ['a success without data, or with an error'];
    const { code, message, ...rest } = (json.error ?? {}) as Record<string, unknown>;
    const isRight =
      json.data === null &&
      typeof code === 'string' &&
      typeof message === 'string' &&
      /\S/.test(message) &&
      ['', 'details'].includes(Object.keys(rest).join());
    const faults = isRight ? [] : ['a refusal that is not { code, message, details? }'];
    return status === 429 && plan.credential.kind === 'good' ? [...faults, 'throttled within its budget'] : faults;
  }

  /** What a client sent comes back in some messages: only what it did not send is the inside. */
  private insides({ text, sent }: Exchange): string[] {
    return INSIDE.filter((pattern) => pattern.test(text) && !pattern.test(sent)).map(
      (pattern) => `shows ${String(pattern.exec(text)?.[0])}`,
    );
  }

  private leaks({ plan, text, sent }: Exchange): string[] {
    const secrets = this.secrets.filter((secret) => text.includes(secret)).map(() => 'a secret of the service');
    const credentials = SHOWS_CREDENTIALS.includes(plan.endpoint)
      ? []
      : [...text.matchAll(CREDENTIALS)].filter(([found]) => !sent.includes(found)).map(() => 'a credential');
    if (plan.api === 'studio') return [...secrets, ...credentials];
    const isTestKey = plan.credential.kind === 'good' && plan.credential.environment === 'test';
    const marks = [MARKS.stranger, MARKS.studio, ...(isTestKey ? [MARKS.live] : [])].filter((mark) => text.includes(mark));
    const ids = this.world.strangersIds.filter((id) => text.includes(id) && !sent.includes(id)).map((id) => `${id} of another account`);
    return [...secrets, ...credentials, ...marks, ...ids];
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
