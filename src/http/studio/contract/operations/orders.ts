import { ID } from './ids';
import { FILE, list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ORDER_COUNTS_EXAMPLE, ORDER_ROW_EXAMPLE, REMAKE_EXAMPLE, STUDIO_ORDER_EXAMPLE } from '../examples';
import { ORDER_COUNTS, STUDIO_ORDER, STUDIO_ORDER_ROW } from '../resources';

/** Where a list names what links lead to. */
const FIRST_ORDER = '$response.body#/data/0/orderId';

/** What the contract says of orders (studio API "Endpoints"). */
export const ORDER_OPERATIONS = {
  list: {
    id: 'listOrders',
    tag: 'Orders',
    summary: 'Orders, newest first',
    description: 'Live ones unless test orders are asked for.',
    answer: list(STUDIO_ORDER_ROW),
    paged: true,
    example: { answer: [ORDER_ROW_EXAMPLE] },
    links: {
      readIt: { operationId: 'getOrder', parameters: { id: FIRST_ORDER }, description: 'Reads the newest order.' },
      reportIt: { operationId: 'recordMilestone', parameters: { id: FIRST_ORDER }, description: 'Says what the floor did with it.' },
      packIt: { operationId: 'addParcel', parameters: { id: FIRST_ORDER }, description: 'Ships a parcel of it.' },
      payIt: { operationId: 'recordPayment', parameters: { id: FIRST_ORDER }, description: 'Takes a payment for it.' },
    },
  },
  count: {
    id: 'countOrders',
    tag: 'Orders',
    summary: 'How many orders there are now, by status',
    description:
      'Whenever they were placed; of live orders unless test ones are asked for. Of each kind at most 10,000 are counted: that many means so many or more.',
    answer: ORDER_COUNTS,
    example: { answer: ORDER_COUNTS_EXAMPLE },
  },
  read: {
    id: 'getOrder',
    tag: 'Orders',
    summary: 'Everything the studio knows of one order',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    example: { answer: STUDIO_ORDER_EXAMPLE },
  },
  preview: {
    id: 'getLinePreview',
    tag: 'Orders',
    summary: 'The picture of a line',
    description:
      'At most 1,600 pixels long, in sRGB, the right way up. Where there is none (nobody has looked at the artwork yet, it is HEIC or no picture), 404 says why.',
    params: { id: ID.order, n: ID.line },
    answer: FILE,
    media: 'image/webp',
    example: { answer: null },
  },
  milestone: {
    id: 'recordMilestone',
    tag: 'Orders',
    summary: 'Record what happened on the floor',
    description: 'The same `milestoneId` with the same content is answered with the order as it is, so it is safe to repeat.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { request: { milestoneId: 'press-7/1041', type: 'production_started' }, answer: STUDIO_ORDER_EXAMPLE },
  },
  correct: {
    id: 'correctMilestone',
    tag: 'Orders',
    summary: 'Take back a milestone that was recorded by mistake',
    description:
      'The order is then what the remaining milestones lead to; parcels and money stay as they are, and clients are told of a status that changes. Safe to repeat. A cancel is not taken back.',
    params: { id: ID.order, milestoneId: ID.milestone },
    answer: STUDIO_ORDER,
    refuses: ['CORRECTION_REFUSED'],
    example: { request: { reason: 'another sheet was scanned' }, answer: STUDIO_ORDER_EXAMPLE },
  },
  addParcel: {
    id: 'addParcel',
    tag: 'Orders',
    summary: 'A parcel has left',
    description: 'From then on the order reads `shipped`, until its last label is voided. Safe to repeat by `parcelId`.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { request: { parcelId: 'p-1', trackingNumber: 'AP-1', carrier: 'Australia Post' }, answer: STUDIO_ORDER_EXAMPLE },
  },
  voidParcel: {
    id: 'voidParcel',
    tag: 'Orders',
    summary: "Void a parcel's label",
    params: { id: ID.order, parcelId: ID.parcel },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { answer: STUDIO_ORDER_EXAMPLE },
  },
  recordPayment: {
    id: 'recordPayment',
    tag: 'Orders',
    summary: "Record money received for the order's invoice",
    description: 'Safe to repeat by `paymentId`.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: {
      request: { paymentId: 'bank-2026-03-05/7', amountCents: 8425, reference: 'Harbour Gallery March' },
      answer: STUDIO_ORDER_EXAMPLE,
    },
  },
  reversePayment: {
    id: 'reversePayment',
    tag: 'Orders',
    summary: 'Reverse a payment',
    description: 'Of a cancelled order it takes away the credit that the payment had become; where that has been used, it is refused.',
    params: { id: ID.order, paymentId: ID.payment },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'CREDIT_INSUFFICIENT'],
    example: { answer: STUDIO_ORDER_EXAMPLE },
  },
  remake: {
    id: 'remakeOrder',
    tag: 'Orders',
    summary: 'Make lines of an order again, at no charge',
    description:
      'On the same artwork and selections, as an order of its own: with a number such as `P-10001-R1`, a job, a workflow and parcels, and without price, invoice, mail and webhooks. Lines count from 0; of each at most what was ordered. Safe to repeat by `remakeId`.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    repeated: 'The remake of the first time, as it is now.',
    refuses: ['REMAKE_REFUSED', 'REMAKE_ID_REUSED', 'SHIPPING_ADDRESS_INCOMPLETE'],
    example: {
      request: { remakeId: 'complaint-17', lines: [{ line: 0, quantity: 1 }], reason: 'scratched in transit' },
      answer: REMAKE_EXAMPLE,
    },
  },
} satisfies Record<string, OperationContract>;
