import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { TIMEOUTS } from '../../../src/db/database';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import { listen } from '../../support/listen';
import { startOtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver';
import { startService } from '../../support/service';
import { useReceiver, useService, useFixture } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';

const CALLER_TRACE = '0af7651916cd43dd8448eb211c80319c';

function* endlessText(): Generator<string> {
  for (;;) yield 'x'.repeat(1_000);
}

describe('traces', () => {
  const collector = useFixture(startOtlpReceiver, (opened) => opened.close());
  const receiver = useReceiver();
  const service = useService(() => ({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOK_ALLOWED_ORIGINS: receiver.origin },
  }));
  beforeAll(async () => {
    await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
  });

  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const namesOf = (spans: readonly ReceivedSpan[]) => [...new Set(spans.map(({ name }) => name))];

  /** Waits for the names, because the exporter sends spans in batches. */
  const waitForNames = (names: readonly string[], find: () => readonly ReceivedSpan[]) =>
    waitFor(`spans ${names.join(', ')}`, async () => names.every((name) => namesOf(find()).includes(name)));

  it('follow an order from the caller to the receiver, through transaction, workflow and relay', async () => {
    const trade = service.trade(service.account.testKey);
    const { quoteId } = await aQuote(trade);
    const reply = await placeOrder(trade, quoteId, { ...anIdempotencyKeyHeader(), traceparent: `00-${CALLER_TRACE}-b7ad6b7169203331-01` });
    const names = ['POST /v1/orders', 'transaction', 'INSERT', 'StartWorkflow:order', 'POST webhook'];
    await waitForNames(names, () => spansOf(CALLER_TRACE));
    const webhook = receiver.received.find(({ body }) => body.data.orderId === reply.json.data.orderId);
    expect(webhook?.headers['traceparent']).toContain(CALLER_TRACE);
    const line = service.logLines.map((text) => JSON.parse(text)).find(({ route, status }) => route === 'POST /orders' && status === 201);
    expect(line).toMatchObject({ trace_id: CALLER_TRACE, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  it('follow a milestone through the activity that stores it', async () => {
    const { orderId } = await anOrder(service.trade(service.account.testKey));
    await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm1', type: 'production_started' });
    const names = ['UpdateWorkflow:applyMessage', 'RunActivity:applyChange', 'transaction', 'POST webhook'];
    await waitForNames(names, () => {
      const request = collector.spans.find(({ name }) => name === 'POST /studio/v1/orders/:id/milestones');
      return request === undefined ? [] : spansOf(request.traceId);
    });
  });

  it('of a failed request have the status error', async () => {
    const own = await startService({
      worker: false,
      timeouts: TIMEOUTS,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    try {
      const trade = own.trade(own.account.testKey);
      const { quoteId } = await aQuote(trade);
      const lock = await holdLock(own.deps.database, 'SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [own.account.accountId]);
      try {
        expect((await placeOrder(trade, quoteId)).status).toBe(503);
      } finally {
        await lock.release();
      }
    } finally {
      await own.stop();
    }
    const isFailed = ({ name, status, attributes }: ReceivedSpan) =>
      name === 'POST /v1/orders' && status.code === 2 && attributes['error.type'] === 'OVERLOADED';
    await waitFor('the span of the failed request', async () => collector.spans.some(isFailed));
  });

  it('a collector whose reply never ends is cut off, and does not keep the process from ending', async () => {
    const server = createServer((request, response) => {
      request.resume();
      Readable.from(endlessText()).pipe(response);
    });
    const url = `http://${await listen(server)}`;
    const own = await startService({ worker: false, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
    const replies = new Promise((resolve) => server.once('request', (_, response: ServerResponse) => response.once('close', resolve)));
    expect((await own.trade(own.account.testKey).get('/orders')).status).toBe(200);
    await own.stop();
    await replies;
    server.close();
  });

  it('a collector that does not answer is logged, and requests continue', async () => {
    const own = await startService({ worker: false, env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } });
    expect((await own.trade(own.account.testKey).get('/orders')).status).toBe(200);
    await own.stop(); // exports what is left
    expect(own.logLines.filter((line) => line.includes('exporting telemetry to OTEL_EXPORTER_OTLP_ENDPOINT failed'))).toHaveLength(1);
  });
});
