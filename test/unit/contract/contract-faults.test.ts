import { createServer } from 'node:http';
import { request } from 'undici';
import { ORDER_EXAMPLE } from '../../../src/http/openapi/examples';
import { contractOf, recordContractFaults } from '../../support/contract';
import { listen } from '../../support/listen';

/** Proves that the contract check of all responses finds violations. */
describe('a response that violates the contract', () => {
  const headers = { 'service-request-id': 'req_1' };
  const orderResponse = (changes: object): string => JSON.stringify({ data: { ...ORDER_EXAMPLE, ...changes }, error: null });
  const findOrderFault = (answer: { status?: number; headers?: object; text: string }): string | null =>
    contractOf('trade').findFault('GET', `/orders/${ORDER_EXAMPLE.orderId}?x=1`, { status: 200, headers, ...answer } as never);

  it.each([
    ['no violation in a valid response', { text: orderResponse({}) }, null],
    ['an unknown field', { text: orderResponse({ colour: 'red' }) }, 'additional properties'],
    ['a field that is missing', { text: JSON.stringify({ data: {}, error: null }) }, 'required property'],
    ['null in a field that forbids it', { text: orderResponse({ totalCents: null }) }, 'must be integer'],
    ['an unknown status of an order', { text: orderResponse({ status: 'lost' }) }, 'allowed values'],
    ['a time without milliseconds', { text: orderResponse({ createdAt: '2026-03-02T01:05:00Z' }) }, 'pattern'],
    ['an unknown status code', { status: 418, text: '{}' }, 'does not list'],
    ['a missing request id', { headers: {}, text: orderResponse({}) }, 'Service-Request-Id'],
  ])('%s', (_what, answer, found) => {
    expect(findOrderFault(answer)).toEqual(found === null ? null : expect.stringContaining(found));
  });

  it('is found with any client and method', async () => {
    const faults = recordContractFaults();
    const server = createServer((_request, response) => void response.writeHead(200, headers).end('{"data":{},"error":null}'));
    const { body } = await request(`http://${await listen(server)}/v1/orders/ord_00`);
    await body.dump();
    await new Promise((resolve) => void server.close(resolve));
    expect(faults()).toEqual([expect.stringContaining('GET /orders/{id} answered 200')]);
  });
});
