import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { DELIVERY_COUNTS_EXAMPLE, DELIVERY_DETAIL_EXAMPLE, DELIVERY_EXAMPLE } from '../examples';
import { DELIVERY, DELIVERY_COUNTS, DELIVERY_DETAIL } from '../resources';

/** Where a list names what links lead to. */
const FIRST_DELIVERY = '$response.body#/data/0/deliveryId';
const ITS_ENDPOINT = '$response.body#/data/0/endpointId';

/** What the contract says of deliveries (studio API "Endpoints"). */
export const DELIVERY_OPERATIONS = {
  list: {
    id: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'Deliveries of every account, newest first',
    answer: list(DELIVERY),
    paged: true,
    example: { answer: [DELIVERY_EXAMPLE] },
    links: {
      readIt: { operationId: 'getDelivery', parameters: { id: FIRST_DELIVERY }, description: 'Reads the newest delivery.' },
      resendIt: { operationId: 'resendDelivery', parameters: { id: FIRST_DELIVERY }, description: 'Sends its event again.' },
      readEndpoint: { operationId: 'getWebhookEndpoint', parameters: { id: ITS_ENDPOINT }, description: 'Reads its endpoint.' },
      pingEndpoint: { operationId: 'pingWebhookEndpoint', parameters: { id: ITS_ENDPOINT }, description: 'Tries its endpoint.' },
      disableEndpoint: {
        operationId: 'disableWebhookEndpoint',
        parameters: { id: ITS_ENDPOINT },
        description: 'Stops sending to its endpoint.',
      },
      enableEndpoint: {
        operationId: 'enableWebhookEndpoint',
        parameters: { id: ITS_ENDPOINT },
        description: 'Sends to its endpoint again.',
      },
      rotateSecret: { operationId: 'rotateWebhookSecret', parameters: { id: ITS_ENDPOINT }, description: "Changes its endpoint's secret." },
    },
  },
  count: {
    id: 'countDeliveries',
    tag: 'Webhooks',
    summary: 'How many deliveries there are now that have not arrived',
    description:
      'Those still tried, given up and held, whenever they were made; live ones unless test ones are asked for. Of each state at most 10,000 are counted: that many means so many or more.',
    answer: DELIVERY_COUNTS,
    example: { answer: DELIVERY_COUNTS_EXAMPLE },
  },
  read: {
    id: 'getDelivery',
    tag: 'Webhooks',
    summary: "One delivery with its event's exact text and every attempt",
    params: { id: ID.delivery },
    answer: DELIVERY_DETAIL,
    example: { answer: DELIVERY_DETAIL_EXAMPLE },
  },
  resend: {
    id: 'resendDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description: 'A new chain of attempts with the same event, whatever state the delivery is in.',
    params: { id: ID.delivery },
    answer: DELIVERY_DETAIL,
    refuses: ['ENDPOINT_DISABLED'],
    example: { answer: DELIVERY_DETAIL_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;
