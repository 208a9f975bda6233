import { DEFAULT_TOLERANCE_SECONDS } from '@trade-print/client';
import { ATTENTION_CODES } from '../../../src/domain/attention';
import { ERROR_STATUS } from '../../../src/domain/errors';
import { EVENT_TYPES, PING } from '../../../src/domain/events';
import { LIMITS } from '../../../src/domain/limits';
import { ORDER_STATUSES } from '../../../src/domain/order-status';
import { NOT_ORDERABLE_REASONS, ORDERABLE_PRODUCTS } from '../../../src/domain/products';
import { ATTEMPT_TIMEOUT_MS, DEFAULT_RETRY_SCHEDULE_MS, FAILURES_BEFORE_DISABLE } from '../../../src/domain/webhook-rules';
import { studioDocument } from '../../../src/http/openapi/studio';
import { tradeDocument } from '../../../src/http/openapi/trade';
import { presentEvent } from '../../../src/presenters/events';
import type { PresentedOrder } from '../../../src/presenters/orders';
import { numberInWords, readPage } from './markdown';
import { refusalsOf } from './openapi';

const SPECIFICATION = readPage('docs/specification.md');
const STUDIO_TASKS = readPage('docs/guides/studio/how-do-i.md');

/** Limits of fields, bodies and pages, which the OpenAPI documents list. */
type InContract =
  | 'idempotencyKeyLength'
  | 'itemsPerQuote'
  | 'basketsPerPrices'
  | 'itemsPerPrices'
  | 'quantityPerItem'
  | 'pageSize'
  | 'defaultPageSize'
  | 'uploadBytes'
  | 'orderBodyBytes'
  | 'uploadBodyBytes'
  | 'pricesBodyBytes'
  | 'specialInstructionsLength'
  | 'externalReferenceLength'
  | 'referenceLength'
  | 'metadataEntries'
  | 'metadataKeyLength'
  | 'metadataValueLength'
  | 'catalogueIdLength'
  | 'urlLength'
  | 'emailLength'
  | 'identifierLength'
  | 'mailSubjectLength'
  | 'mailTextLength'
  | 'ordersPerBatch'
  | 'sendsPerDay'
  | 'noteLength'
  | 'notesPerSubject'
  | 'signInBodyBytes';

describe('the specification and the code agree on', () => {
  it('every error code and its status', () => {
    const refusals = [tradeDocument(), studioDocument()].flatMap((document) => [...refusalsOf(document)]);
    const besides = ['METHOD_NOT_ALLOWED 405', 'UPLOAD_EXPIRED 403', 'STORAGE_FULL 507'];
    for (const one of besides) expect(SPECIFICATION.textBelow('Errors').join(' ')).toContain(one.replace(/(\w+) (\d+)/, '`$1` ($2)'));
    const listed = new Set([...refusals.map(([code, status]) => `${code} ${status}`), ...besides]);
    expect([...listed].toSorted()).toEqual(
      Object.entries(ERROR_STATUS)
        .map(([code, status]) => `${code} ${status}`)
        .toSorted(),
    );
  });

  it('every limit', () => {
    const hours = (ms: number): string => `${ms / 3_600_000} hours`;
    const atMost = (count: number, what: string): string => `at most ${count}${what}`;
    const limits: Record<Exclude<keyof typeof LIMITS, InContract>, [string, string]> = {
      quoteLifetimeMs: ['Quote hold time', hours(LIMITS.quoteLifetimeMs)],
      idempotencyLifetimeMs: ['Idempotency key lifetime', hours(LIMITS.idempotencyLifetimeMs)],
      pageBytes: ['Body of a page', atMost(LIMITS.pageBytes, ' bytes, or one item')],
      openTargetsPerAccount: ['Open upload targets per account', atMost(LIMITS.openTargetsPerAccount, '')],
      bodyBytes: ['Body of a quote', atMost(LIMITS.bodyBytes, ' bytes')],
      issuesListed: ['Issues listed in VALIDATION_ERROR', atMost(LIMITS.issuesListed, '')],
      issuesBytes: ['Issues of a basket', atMost(LIMITS.issuesBytes, ' bytes')],
      authenticationFailuresPerMinute: ['Failed authentication', `${LIMITS.authenticationFailuresPerMinute}/min`],
      catalogueCacheSeconds: ['Catalogue cache', `private, ${LIMITS.catalogueCacheSeconds} seconds`],
      cancelledConfirmationsPerDay: [
        'Confirmations of orders that were then cancelled, per account',
        `${LIMITS.cancelledConfirmationsPerDay} a day`,
      ],
      studioSessionMs: ["Studio API, a browser's session", hours(LIMITS.studioSessionMs)],
      studioSessionIdleMs: ['The same without a request', `${LIMITS.studioSessionIdleMs / 60_000} minutes`],
      studioReauthenticationMs: [
        'Studio API, from sending the token to creating credentials',
        `${LIMITS.studioReauthenticationMs / 60_000} minutes`,
      ],
      floorUndoMs: ['Studio API, undo of a milestone by the floor', `${LIMITS.floorUndoMs / 1000} seconds`],
      studioRequestsPerMinute: ['Studio API, per token and endpoint', `${LIMITS.studioRequestsPerMinute}/min`],
    };
    const told = SPECIFICATION.table('Limits');
    const inMinutes = (ms: number): string => (ms < 3_600_000 ? `${ms / 60_000}m` : `${ms / 3_600_000}h`);
    const ofWebhooks = [
      ['Webhook timestamp tolerance', `${DEFAULT_TOLERANCE_SECONDS / 60} minutes`],
      ['Webhook request timeout', `${ATTEMPT_TIMEOUT_MS / 1000} seconds`],
      ['Webhook consecutive failures before disable', `${FAILURES_BEFORE_DISABLE}`],
      ['Webhook retry schedule', DEFAULT_RETRY_SCHEDULE_MS.map(inMinutes).join(', ')],
    ];
    const held = [...new Set([...Object.values(limits), ...ofWebhooks].map((row) => row.join(': ')))];
    expect(told.map((row) => row.join(': ')).toSorted()).toEqual(held.toSorted());
  });

  it('the same limits in its sections', () => {
    const textOf = (title: string): string => SPECIFICATION.textBelow(title).join(' ');
    expect(textOf('What the service does')).toContain(`cache it privately for ${LIMITS.catalogueCacheSeconds} seconds`);
    expect(textOf('POST /uploads')).toContain(`${LIMITS.openTargetsPerAccount} open targets`);
    expect(textOf('Limits')).toContain(
      `authentications have a budget of ${LIMITS.authenticationFailuresPerMinute}/min per source address.`,
    );
    expect(textOf('Signature verification')).toContain(`more than ${numberInWords(DEFAULT_TOLERANCE_SECONDS / 60)} minutes from now`);
    expect(textOf('Delivery guarantees')).toContain(`fails ${FAILURES_BEFORE_DISABLE} deliveries in a row`);
    expect(textOf('Delivery guarantees')).toContain(`A request has ${ATTEMPT_TIMEOUT_MS / 1000} seconds`);
  });

  it('every status and event type', () => {
    expect(SPECIFICATION.table('Order status').map(([status]) => status)).toEqual(ORDER_STATUSES);
    const told = SPECIFICATION.table('Events').map(([type, when]) => [type, when?.split(';')[0]]);
    expect(told.map(([type]) => type)).toEqual(EVENT_TYPES.filter((type) => type !== PING));
    expect(told).toEqual(expect.arrayContaining(ORDER_STATUSES.map((status) => [`order.${status}`, status])));
    expect(SPECIFICATION.textBelow('Events').join(' ')).toContain(`The studio can send a \`${PING}\``);
  });

  it('every code of attention', () => {
    const codes = STUDIO_TASKS.table('Resolve what needs attention').map(([code]) => code);
    expect(codes.toSorted()).toEqual(ATTENTION_CODES.toSorted());
  });

  it('which products can be ordered, and why the others cannot', () => {
    const told = SPECIFICATION.table('Product availability through the API');
    expect(told).toEqual([
      ...[...ORDERABLE_PRODUCTS.keys()].map((slug) => [slug, 'yes', '']),
      ...[...NOT_ORDERABLE_REASONS].map(([slug, reason]) => [slug, 'no', reason]),
    ]);
  });

  it("the fields of an event's body", () => {
    const event = presentEvent({
      id: 'evt_00',
      type: 'order.received',
      createdAt: new Date('2026-03-02T01:02:03.004Z'),
      environment: 'test',
      sequence: 1,
      data: {} as PresentedOrder,
    });
    const told = SPECIFICATION.textBelow('Events').join(' ');
    for (const field of Object.keys(JSON.parse(event) as object)) expect(told).toContain(`\`${field}\``);
  });
});
