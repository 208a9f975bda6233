import { connect } from 'node:net';
import {
  createWebhookSender,
  type AttemptOutcome,
  type WebhookRequest,
  type WebhookSender,
  type WebhookSenderOptions,
} from '../../../../src/webhooks/send';
import { newAuthority, newLeaf, type Certificate } from './certificates';
import { startSilentReceiver, startReceiver, type RawResponder, type Receiver } from './receiver';

/** The endpoint's name, and its address by the tests' resolver. Both look public and reach no real server. */
export const HOST = 'hooks.example.com';
export const PUBLIC_ADDRESS = '93.184.216.34';
export const SECRET = `lpw_${'0123456789abcdef'.repeat(4)}`;

/** A small internet: one name, one receiver behind a public address, and a canary at every other address. */
export interface WebhookWorld {
  authority: Certificate;
  receiver: Receiver;
  /** The receiver of connections to any other address. */
  canary: Receiver;
  /** Every dialled address, in order. */
  dialled: string[];
  sender: WebhookSender;
  send(request?: Partial<WebhookRequest>): Promise<AttemptOutcome>;
  /** Null if the attempt was withdrawn before sending. */
  trySend(request?: Partial<WebhookRequest>): Promise<AttemptOutcome | null>;
  close(): Promise<void>;
}

export interface WebhookWorldInput {
  answer: RawResponder;
  /** Creates the receiver's certificate from the world's authority. Default: a valid one. */
  certificate?: (authority: Certificate) => Certificate;
  sender?: Partial<WebhookSenderOptions>;
}

/**
 * Address checks, TLS, names and certificates are the same as in production. Only the connection to the public
 * address goes to the receiver's port on loopback.
 */
export async function createWebhookWorld({
  answer,
  certificate = createValidCertificate,
  sender: options = {},
}: WebhookWorldInput): Promise<WebhookWorld> {
  const authority = newAuthority();
  const receiver = await startReceiver(answer, certificate(authority));
  const canary = await startSilentReceiver();
  const dialled: string[] = [];
  const sender = createWebhookSender({
    allowedOrigins: [],
    resolve: async () => [PUBLIC_ADDRESS],
    ca: authority.cert,
    dial: ({ address }) => {
      dialled.push(address);
      return connect(address === PUBLIC_ADDRESS ? receiver.port : canary.port, '127.0.0.1');
    },
    ...options,
  });
  return {
    authority,
    receiver,
    canary,
    dialled,
    sender,
    send: (request) => sender.send(aRequest(request)).then(assertOutcome),
    trySend: (request) => sender.send(aRequest(request)),
    close: async () => {
      await sender.close();
      await Promise.all([receiver.close(), canary.close()]);
    },
  };
}

function assertOutcome(outcome: AttemptOutcome | null): AttemptOutcome {
  if (outcome === null) throw new Error('the attempt was withdrawn');
  return outcome;
}

function createValidCertificate(authority: Certificate): Certificate {
  return newLeaf(authority, { dnsName: HOST });
}

export function aRequest(request: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    endpointId: 'whe_1',
    url: `https://${HOST}/orders?shop=7`,
    secrets: [SECRET],
    eventId: 'evt_0123456789abcdef0123456789abcdef',
    eventType: 'order.received',
    rawBody: '{"id":"evt_0123456789abcdef0123456789abcdef","data":{"note":"Grüße, 額縁"}}',
    nowMs: 1_790_000_000_123,
    ...request,
  };
}
