import type { presentAccount, presentRefundRow } from './accounts';
import type { presentAuditEntry } from './audit';
import type { Cell, CsvColumns } from './csv';
import type { presentDeliveryRow } from './deliveries';
import type { presentCreditNoteRow, presentInvoiceRow } from './invoices';
import type { presentOpenAttention, presentPaymentRow } from './order-records';
import type { PresentedStatement } from './statement';
import type { presentStudioOrderRow } from './studio-orders';
import type { presentEndpointHealth } from './webhook-endpoints';

const amount = (cents: number | null | undefined): Cell => (cents === null || cents === undefined ? null : BigInt(cents));
const at = (time: string | null | undefined): Cell => (time === null || time === undefined ? null : new Date(time));
const perCent = (bps: number | null): Cell => (bps === null ? null : bps / 100);
/** As they are written in lists of the API, with a space. */
const withSpaces = (word: string): string => word.replaceAll('_', ' ');

/** Of rows that belong to an account. */
const WHOSE: CsvColumns<{ environment: string; accountName: string; accountId: string }> = [
  ['Environment', ({ environment }) => environment],
  ['Account', ({ accountName }) => accountName],
  ['Account ID', ({ accountId }) => accountId],
];

export const ORDER_CSV: CsvColumns<ReturnType<typeof presentStudioOrderRow>> = [
  ['Order', ({ orderNumber }) => orderNumber],
  ['Status', ({ status }) => withSpaces(status)],
  ...WHOSE,
  ['Placed', ({ createdAt }) => at(createdAt)],
  ['Due', ({ dueDate }) => dueDate],
  ['Promised', ({ promisedReadyDate }) => promisedReadyDate],
  ['Late', ({ late }) => late],
  ['Rush', ({ rushTier }) => rushTier],
  ['White label', ({ whiteLabel }) => whiteLabel],
  ['Attention', ({ attention }) => attention.map(({ code }) => code).join(' ')],
  ['Pieces', ({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0)],
  ['Parcels', ({ facts }) => facts.liveParcels],
  ['Tracking', ({ shipments }) => shipments.map(({ trackingNumber }) => trackingNumber).join(' ')],
  ['Currency', ({ currency }) => currency],
  ['Subtotal', ({ subtotalCents }) => amount(subtotalCents)],
  ['Discount', ({ discountCents }) => amount(discountCents)],
  ['Shipping', ({ shippingCents }) => amount(shippingCents)],
  ['Rush fee', ({ rushFeeCents }) => amount(rushFeeCents)],
  ['Total', ({ totalCents }) => amount(totalCents)],
  ['GST contained', ({ gstCents }) => amount(gstCents)],
  ['Paid', ({ facts }) => amount(facts.paidCents)],
  ['Invoice', ({ invoice }) => invoice?.invoiceNumber ?? null],
  ['Invoice state', ({ invoice }) => (invoice === null ? null : withSpaces(invoice.state))],
  ['Remake of', ({ remakeOf }) => remakeOf?.orderNumber ?? null],
  ['Order ID', ({ orderId }) => orderId],
];

export const INVOICE_CSV: CsvColumns<ReturnType<typeof presentInvoiceRow>> = [
  ['Invoice', ({ invoiceNumber }) => invoiceNumber],
  ['Order', ({ orderNumber }) => orderNumber],
  ...WHOSE,
  ['State', ({ state }) => withSpaces(state)],
  ['Issued', ({ issuedAt }) => at(issuedAt)],
  ['Due', ({ dueDate }) => dueDate],
  ['Overdue', ({ overdue }) => overdue],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => amount(amountCents)],
  ['GST contained', ({ gstCents }) => amount(gstCents)],
  ['Paid', ({ paidCents }) => amount(paidCents)],
  ['Credited', ({ creditedCents }) => amount(creditedCents)],
  ['Void', ({ voidedCents }) => amount(voidedCents)],
  ['GST of the void', ({ voidedGstCents }) => amount(voidedGstCents)],
  ['To pay', ({ dueCents }) => amount(dueCents)],
  ['Void since', ({ voidedAt }) => at(voidedAt)],
  ['Invoice ID', ({ invoiceId }) => invoiceId],
];

export const CREDIT_NOTE_CSV: CsvColumns<ReturnType<typeof presentCreditNoteRow>> = [
  ['Credit note', ({ creditNoteNumber }) => creditNoteNumber],
  ['Invoice', ({ invoiceNumber }) => invoiceNumber],
  ['Order', ({ orderNumber }) => orderNumber],
  ...WHOSE,
  ['Issued', ({ createdAt }) => at(createdAt)],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => amount(amountCents)],
  ['GST contained', ({ gstCents }) => amount(gstCents)],
  ['Reason', ({ reason }) => reason],
  ['Reversed', ({ reversedAt }) => at(reversedAt)],
  ['Reversed because', ({ reversalReason }) => reversalReason],
  ['Credit note ID', ({ id }) => id],
];

export const PAYMENT_CSV: CsvColumns<ReturnType<typeof presentPaymentRow>> = [
  ['Received', ({ receivedAt }) => at(receivedAt)],
  ['Payment ID', ({ paymentId }) => paymentId],
  ...WHOSE,
  ['Source', ({ source }) => source],
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => amount(amountCents)],
  ['Reference', ({ reference }) => reference],
  ['Order', ({ orderNumber }) => orderNumber],
  ['Invoice', ({ invoiceNumber }) => invoiceNumber],
  ['Recorded', ({ createdAt }) => at(createdAt)],
  ['Reversed', ({ reversedAt }) => at(reversedAt)],
];

export const REFUND_CSV: CsvColumns<ReturnType<typeof presentRefundRow>> = [
  ['Recorded', ({ createdAt }) => at(createdAt)],
  ['Refund ID', ({ refundId }) => refundId],
  ...WHOSE,
  ['Currency', ({ currency }) => currency],
  ['Amount', ({ amountCents }) => amount(amountCents)],
  ['Reference', ({ reference }) => reference],
  ['Reversed', ({ reversedAt }) => at(reversedAt)],
  ['Reversed because', ({ reversalReason }) => reversalReason],
];

export const ACCOUNT_CSV: CsvColumns<ReturnType<typeof presentAccount>> = [
  ['Account', ({ name }) => name],
  ['Account ID', ({ id }) => id],
  ['E-mail', ({ email }) => email],
  ['Status', ({ status }) => status],
  ['API access', ({ apiAccess }) => apiAccess],
  ['Trade discount per cent', ({ tradeDiscountBps }) => perCent(tradeDiscountBps)],
  ['Payment terms days', ({ paymentTermsDays }) => paymentTermsDays],
  ['Currency', ({ currency }) => currency],
  ['Credit limit', ({ creditLimitCents }) => amount(creditLimitCents)],
  ['Outstanding', ({ live }) => amount(live.outstandingCents)],
  ['Credit', ({ live }) => amount(live.creditCents)],
  ['Available', ({ live }) => amount(live.availableCents)],
  ['Limit used per cent', ({ live }) => perCent(live.usedBps)],
  ['Test outstanding', ({ test }) => amount(test.outstandingCents)],
  ['Test credit', ({ test }) => amount(test.creditCents)],
  ['Test available', ({ test }) => amount(test.availableCents)],
  ['Opened', ({ createdAt }) => at(createdAt)],
];

export const DELIVERY_CSV: CsvColumns<ReturnType<typeof presentDeliveryRow>> = [
  ['Delivery ID', ({ id }) => id],
  ['Event', ({ eventType }) => eventType],
  ['Sequence', ({ sequence }) => sequence],
  ['Order', ({ orderNumber }) => orderNumber],
  ...WHOSE,
  ['URL', ({ endpointUrl }) => endpointUrl],
  ['Endpoint ID', ({ endpointId }) => endpointId],
  ['State', ({ state }) => state],
  ['Trigger', ({ trigger }) => trigger],
  ['Attempts', ({ attemptCount }) => attemptCount],
  ['Last attempt', ({ lastAttemptAt }) => at(lastAttemptAt)],
  ['Last reply', ({ lastStatus }) => lastStatus],
  ['Last error', ({ lastErrorCode }) => lastErrorCode],
  ['Next attempt', ({ nextAttemptAt }) => at(nextAttemptAt)],
  ['Made', ({ createdAt }) => at(createdAt)],
  ['Ended', ({ completedAt }) => at(completedAt)],
  ['Event ID', ({ eventId }) => eventId],
];

export const ATTENTION_CSV: CsvColumns<ReturnType<typeof presentOpenAttention>> = [
  ['Since', ({ since }) => at(since)],
  ['Code', ({ code }) => code],
  ['What', ({ message }) => message],
  ['Order', ({ orderNumber }) => orderNumber],
  ['Order status', ({ status }) => withSpaces(status)],
  ...WHOSE,
  ['Order ID', ({ orderId }) => orderId],
];

export const AUDIT_CSV: CsvColumns<ReturnType<typeof presentAuditEntry>> = [
  ['When', (entry) => at(entry.at)],
  ['Who', ({ actor }) => actor.name],
  ['Token ID', ({ actor }) => actor.tokenId],
  ['Action', ({ action }) => action],
  ['Subject', ({ subject }) => subject],
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
  ['Last success', ({ health }) => at(health.lastSuccessAt)],
  ['Last failure', ({ health }) => at(health.lastFailureAt)],
  ['Last error', ({ health }) => health.lastErrorCode],
  ['Pending', ({ health }) => health.pending],
  ['Held', ({ deliveries }) => deliveries.held],
  ['Failed', ({ deliveries }) => deliveries.failed],
  ['Registered', ({ createdAt }) => at(createdAt)],
];

/** An entry, what was owed before the first and after the last, or an invoice that was open then. */
type StatementLine = Partial<PresentedStatement['entries'][number]> &
  Partial<Pick<PresentedStatement['openInvoices'][number], 'dueDate' | 'dueCents'>> & { bookedOn: string; what: string };

const HOW_TO_USE_CREDIT = 'never applied automatically: record a payment from credit, or a refund';

export function statementLines(statement: PresentedStatement): StatementLine[] {
  const { from, to, openingCents, closingCents, closingOutstandingCents, closingCreditCents, entries, openInvoices } = statement;
  const credit = { bookedOn: to, what: 'of it credit', balanceCents: -closingCreditCents, reference: HOW_TO_USE_CREDIT };
  return [
    { bookedOn: from, what: 'opening balance', balanceCents: openingCents },
    ...entries.map((entry) => ({ ...entry, what: withSpaces(entry.type) })),
    { bookedOn: to, what: 'closing balance', balanceCents: closingCents },
    { bookedOn: to, what: 'of it outstanding', balanceCents: closingOutstandingCents },
    ...(closingCreditCents === 0 ? [] : [credit]),
    ...openInvoices.map(({ orderNumber, invoiceNumber, dueDate, dueCents }) => ({
      bookedOn: to,
      what: 'open invoice',
      orderNumber,
      invoiceNumber,
      dueDate,
      dueCents,
    })),
  ];
}

/** Of one account. */
export const statementCsv = ({ accountName, currency }: PresentedStatement): CsvColumns<StatementLine> => [
  ['Day', ({ bookedOn }) => bookedOn],
  ['What', ({ what }) => what],
  ['Account', () => accountName],
  ['Currency', () => currency],
  ['Amount', ({ amountCents }) => amount(amountCents)],
  ['Balance', ({ balanceCents }) => amount(balanceCents)],
  ['To pay', ({ dueCents }) => amount(dueCents)],
  ['Due', ({ dueDate }) => dueDate ?? null],
  ['Order', ({ orderNumber }) => orderNumber ?? null],
  ['Invoice', ({ invoiceNumber }) => invoiceNumber ?? null],
  ['Credit note', ({ creditNoteNumber }) => creditNoteNumber ?? null],
  ['Payment ID', ({ paymentId }) => paymentId ?? null],
  ['Refund ID', ({ refundId }) => refundId ?? null],
  ['Reference', ({ reference }) => reference ?? null],
];
