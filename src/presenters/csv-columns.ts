import { addressLines } from '../domain/address-lines';
import type { presentAccount, presentRefundRow } from './accounts';
import type { presentAuditEntry } from './audit';
import type { Cell, CsvColumns } from './csv';
import type { presentDeliveryRow } from './deliveries';
import type { presentCreditNoteRow, presentInvoiceRow } from './invoices';
import type { presentOpenAttention, presentPaymentRow } from './order-records';
import { entryLines, type PresentedStatement } from './statement';
import type { presentStudioOrderRow } from './studio-orders';
import type { presentEndpointHealth } from './webhook-endpoints';

const toAmount = (cents: number | null | undefined): Cell => (cents === null || cents === undefined ? null : BigInt(cents));
const toPercent = (bps: number | null): Cell => (bps === null ? null : bps / 100);
const withSpaces = (word: string): string => word.replaceAll('_', ' ');

const ACCOUNT_COLUMNS: CsvColumns<{ environment: string; accountName: string; accountId: string }> = [
  ['Environment', ({ environment }) => environment],
  ['Account', ({ accountName }) => accountName],
  ['Account ID', ({ accountId }) => accountId],
];

export const ORDER_CSV: CsvColumns<ReturnType<typeof presentStudioOrderRow>> = [
  ['Order', ({ orderNumber }) => orderNumber],
  ['Status', ({ status }) => withSpaces(status)],
  ...ACCOUNT_COLUMNS,
  ['Placed', ({ createdAt }) => createdAt, 'time'],
  ['Due', ({ dueDate }) => dueDate, 'day'],
  ['Promised', ({ promisedReadyDate }) => promisedReadyDate, 'day'],
  ['Late', ({ late }) => late],
  ['Recipient', ({ recipientName }) => recipientName],
  ['Postcode', ({ postcode }) => postcode],
  ['Reference', ({ reference }) => reference],
  ['Rush', ({ rushTier }) => rushTier],
  ['White label', ({ whiteLabel }) => whiteLabel],
  ['Attention', ({ attention }) => attention.map(({ code }) => code).join(' ')],
  ['Pieces', ({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0)],
  ['Parcels', ({ facts }) => facts.liveParcels],
  ['Tracking', ({ shipments }) => shipments.map(({ trackingNumber }) => trackingNumber).join(' ')],
  ['Currency', ({ currency }) => currency],
  ['Subtotal', ({ subtotalCents }) => toAmount(subtotalCents)],
  ['Discount', ({ discountCents }) => toAmount(discountCents)],
  ['Shipping', ({ shippingCents }) => toAmount(shippingCents)],
  ['Rush fee', ({ rushFeeCents }) => toAmount(rushFeeCents)],
  ['Total', ({ totalCents }) => toAmount(totalCents)],
  ['GST contained', ({ gstCents }) => toAmount(gstCents)],
  ['Paid', ({ facts }) => toAmount(facts.paidCents)],
  ['Invoice', ({ invoice }) => invoice?.invoiceNumber ?? null],
  ['Invoice state', ({ invoice }) => (invoice === null ? null : withSpaces(invoice.state))],
  ['Remake of', ({ remakeOf }) => remakeOf?.orderNumber ?? null],
  ['Order ID', ({ orderId }) => orderId],
];

export const INVOICE_CSV: CsvColumns<ReturnType<typeof presentInvoiceRow>> = [
  ['Invoice', ({ invoiceNumber }) => invoiceNumber],
  ['Order', ({ orderNumber }) => orderNumber],
  ['Reference', ({ reference }) => reference],
  ...ACCOUNT_COLUMNS,
  ['State', ({ state }) => withSpaces(state)],
  ['Issued', ({ issuedAt }) => issuedAt, 'time'],
  ['Due', ({ dueDate }) => dueDate, 'day'],
  ['Overdue', ({ overdue }) => overdue],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => toAmount(amountCents)],
  ['GST contained', ({ gstCents }) => toAmount(gstCents)],
  ['Paid', ({ paidCents }) => toAmount(paidCents)],
  ['Credited', ({ creditedCents }) => toAmount(creditedCents)],
  ['Void', ({ voidedCents }) => toAmount(voidedCents)],
  ['GST of the void', ({ voidedGstCents }) => toAmount(voidedGstCents)],
  ['To pay', ({ dueCents }) => toAmount(dueCents)],
  ['Void since', ({ voidedAt }) => voidedAt, 'time'],
  ['Invoice ID', ({ invoiceId }) => invoiceId],
];

export const CREDIT_NOTE_CSV: CsvColumns<ReturnType<typeof presentCreditNoteRow>> = [
  ['Credit note', ({ creditNoteNumber }) => creditNoteNumber],
  ['Invoice', ({ invoiceNumber }) => invoiceNumber],
  ['Order', ({ orderNumber }) => orderNumber],
  ...ACCOUNT_COLUMNS,
  ['Issued', ({ createdAt }) => createdAt, 'time'],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => toAmount(amountCents)],
  ['GST contained', ({ gstCents }) => toAmount(gstCents)],
  ['Reason', ({ reason }) => reason],
  ['Reversed', ({ reversedAt }) => reversedAt, 'time'],
  ['Reversed because', ({ reversalReason }) => reversalReason],
  ['Credit note ID', ({ id }) => id],
];

export const PAYMENT_CSV: CsvColumns<ReturnType<typeof presentPaymentRow>> = [
  ['Received', ({ receivedAt }) => receivedAt, 'time'],
  ['Payment ID', ({ paymentId }) => paymentId],
  ...ACCOUNT_COLUMNS,
  ['Source', ({ source }) => source],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => toAmount(amountCents)],
  ['Reference', ({ reference }) => reference],
  ['Order', ({ orderNumber }) => orderNumber],
  ['Invoice', ({ invoiceNumber }) => invoiceNumber],
  ['Recorded', ({ createdAt }) => createdAt, 'time'],
  ['Reversed', ({ reversedAt }) => reversedAt, 'time'],
  ['Reversed because', ({ reversalReason }) => reversalReason],
];

export const REFUND_CSV: CsvColumns<ReturnType<typeof presentRefundRow>> = [
  ['Refunded', ({ refundedAt }) => refundedAt, 'time'],
  ['Refund ID', ({ refundId }) => refundId],
  ...ACCOUNT_COLUMNS,
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => toAmount(amountCents)],
  ['Reference', ({ reference }) => reference],
  ['Recorded', ({ createdAt }) => createdAt, 'time'],
  ['Reversed', ({ reversedAt }) => reversedAt, 'time'],
  ['Reversed because', ({ reversalReason }) => reversalReason],
];

export const ACCOUNT_CSV: CsvColumns<ReturnType<typeof presentAccount>> = [
  ['Account', ({ name }) => name],
  ['Account ID', ({ id }) => id],
  ['E-mail', ({ email }) => email],
  ['ABN', ({ abn }) => abn],
  ['Billing address', ({ billingAddress }) => billingAddress && addressLines({ ...billingAddress, name: '' }).join(', ')],
  ['Default reference', ({ defaultReference }) => defaultReference],
  ['Status', ({ status }) => status],
  ['API access', ({ apiAccess }) => apiAccess],
  ['Trade discount per cent', ({ tradeDiscountBps }) => toPercent(tradeDiscountBps)],
  ['Payment terms days', ({ paymentTermsDays }) => paymentTermsDays],
  ['Currency', ({ currency }) => currency],
  ['Credit limit', ({ creditLimitCents }) => toAmount(creditLimitCents)],
  ['Outstanding', ({ live }) => toAmount(live.outstandingCents)],
  ['Credit', ({ live }) => toAmount(live.creditCents)],
  ['Available', ({ live }) => toAmount(live.availableCents)],
  ['Limit used per cent', ({ live }) => toPercent(live.usedBps)],
  ['Test outstanding', ({ test }) => toAmount(test.outstandingCents)],
  ['Test credit', ({ test }) => toAmount(test.creditCents)],
  ['Test available', ({ test }) => toAmount(test.availableCents)],
  ['Opened', ({ createdAt }) => createdAt, 'time'],
];

export const DELIVERY_CSV: CsvColumns<ReturnType<typeof presentDeliveryRow>> = [
  ['Delivery ID', ({ id }) => id],
  ['Event', ({ eventType }) => eventType],
  ['Sequence', ({ sequence }) => sequence],
  ['Order', ({ orderNumber }) => orderNumber],
  ...ACCOUNT_COLUMNS,
  ['URL', ({ endpointUrl }) => endpointUrl],
  ['Endpoint ID', ({ endpointId }) => endpointId],
  ['State', ({ state }) => state],
  ['Trigger', ({ trigger }) => trigger],
  ['Attempts', ({ attemptCount }) => attemptCount],
  ['Last attempt', ({ lastAttemptAt }) => lastAttemptAt, 'time'],
  ['Last reply', ({ lastStatus }) => lastStatus],
  ['Last error', ({ lastErrorCode }) => lastErrorCode],
  ['Next attempt', ({ nextAttemptAt }) => nextAttemptAt, 'time'],
  ['Made', ({ createdAt }) => createdAt, 'time'],
  ['Ended', ({ completedAt }) => completedAt, 'time'],
  ['Event ID', ({ eventId }) => eventId],
];

export const ATTENTION_CSV: CsvColumns<ReturnType<typeof presentOpenAttention>> = [
  ['Since', ({ since }) => since, 'time'],
  ['Code', ({ code }) => code],
  ['Message', ({ message }) => message],
  ['Order', ({ orderNumber }) => orderNumber],
  ['Order status', ({ status }) => withSpaces(status)],
  ...ACCOUNT_COLUMNS,
  ['Order ID', ({ orderId }) => orderId],
];

export const AUDIT_CSV: CsvColumns<ReturnType<typeof presentAuditEntry>> = [
  ['When', (entry) => entry.at, 'time'],
  ['Who', ({ actor }) => actor.name],
  ['Token ID', ({ actor }) => actor.tokenId],
  ['Action', ({ action }) => action],
  ['Subject', ({ subject }) => subject],
  ['Subject name', ({ subjectName }) => subjectName],
  ['Before', ({ before }) => (before === null ? null : JSON.stringify(before))],
  ['After', ({ after }) => (after === null ? null : JSON.stringify(after))],
  ['Request ID', ({ requestId }) => requestId],
];

export const ENDPOINT_CSV: CsvColumns<ReturnType<typeof presentEndpointHealth>> = [
  ['Endpoint ID', ({ id }) => id],
  ['Account', ({ accountName }) => accountName],
  ['Account ID', ({ accountId }) => accountId],
  ['Environment', ({ environment }) => environment],
  ['URL', ({ url }) => url],
  ['State', ({ state }) => state],
  ['Disabled because', ({ disabledReason }) => disabledReason],
  ['Failures in a row', ({ consecutiveFailures }) => consecutiveFailures],
  ['Last success', ({ health }) => health.lastSuccessAt, 'time'],
  ['Last failure', ({ health }) => health.lastFailureAt, 'time'],
  ['Last error', ({ health }) => health.lastErrorCode],
  ['Pending', ({ health }) => health.pending],
  ['Held', ({ deliveries }) => deliveries.held],
  ['Failed', ({ deliveries }) => deliveries.failed],
  ['Registered', ({ createdAt }) => createdAt, 'time'],
];

/** A line of the file: an entry, a balance or an open invoice. */
type StatementLine = Partial<PresentedStatement['entries'][number]> &
  Partial<Pick<PresentedStatement['openInvoices'][number], 'dueDate' | 'dueCents'>> & {
    bookedOn: string;
    description: string;
    /** The part of a payment that one invoice or the credit gets. It is included in the amount of the payment's line. */
    shareCents?: number;
  };

const CREDIT_HINT = 'not applied automatically: record a payment from credit, or a refund';

export function statementLines(statement: PresentedStatement): StatementLine[] {
  const { from, to, openingCents, closingCents, closingOutstandingCents, closingCreditCents, entries, openInvoices } = statement;
  const credit = { bookedOn: to, description: 'credit in the closing balance', balanceCents: -closingCreditCents, reference: CREDIT_HINT };
  return [
    { bookedOn: from, description: 'opening balance', balanceCents: openingCents },
    ...entryLines(entries).flatMap(({ entry, shares }) => [
      { ...entry, description: withSpaces(entry.type) },
      ...shares.map(({ bookedOn, type, amountCents: shareCents, orderNumber, invoiceNumber, paymentId }) => ({
        bookedOn,
        description: `share of ${withSpaces(type)}`,
        shareCents,
        orderNumber,
        invoiceNumber,
        paymentId,
      })),
    ]),
    { bookedOn: to, description: 'closing balance', balanceCents: closingCents },
    { bookedOn: to, description: 'outstanding in the closing balance', balanceCents: closingOutstandingCents },
    ...(closingCreditCents === 0 ? [] : [credit]),
    ...openInvoices.map(({ orderNumber, invoiceNumber, dueDate, dueCents }) => ({
      bookedOn: to,
      description: 'open invoice',
      orderNumber,
      invoiceNumber,
      dueDate,
      dueCents,
    })),
  ];
}

/** The columns of an account's statement. */
export const statementCsv = ({ accountName, currency }: PresentedStatement): CsvColumns<StatementLine> => [
  ['Day', ({ bookedOn }) => bookedOn, 'day'],
  ['Description', ({ description }) => description],
  ['Received', ({ receivedOn }) => receivedOn, 'day'],
  ['Refunded', ({ refundedOn }) => refundedOn, 'day'],
  ['Account', () => accountName],
  ['Currency', () => currency],
  ['Amount', ({ amountCents }) => toAmount(amountCents)],
  ['Share', ({ shareCents }) => toAmount(shareCents)],
  ['Balance', ({ balanceCents }) => toAmount(balanceCents)],
  ['To pay', ({ dueCents }) => toAmount(dueCents)],
  ['Due', ({ dueDate }) => dueDate, 'day'],
  ['Order', ({ orderNumber }) => orderNumber ?? null],
  ['Invoice', ({ invoiceNumber }) => invoiceNumber ?? null],
  ['Credit note', ({ creditNoteNumber }) => creditNoteNumber ?? null],
  ['Payment ID', ({ paymentId }) => paymentId ?? null],
  ['Refund ID', ({ refundId }) => refundId ?? null],
  ['Reference', ({ reference }) => reference ?? null],
];
