import { Anchor, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { invoiceQuery } from '../../api/reads';
import { callApi, type Schema, studio } from '../../api/studio';
import { accountPaymentId, Reverse } from '../../billing/parts';
import { ActionButtons } from '../../shared/action';
import { formatAmount, formatMoney } from '../../shared/amount';
import { ErrorAlert } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { MissingBusinessDetailsNote } from '../../shared/settings';
import { StatusBadge } from '../../shared/status';
import { AMOUNT_DUE } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import { actionOf, dueCents, type Order } from './studio-order';
import { notificationText } from './words';

type WholeInvoice = Schema<'WholeInvoice'>;

export function Payment({ order }: { order: Order }) {
  const { invoice, accountId } = order;
  const { data, error } = useQuery({ ...invoiceQuery(invoice?.invoiceNumber ?? ''), enabled: invoice !== null });
  return (
    <Panel title="Payment" beside={invoice !== null && <StatusBadge of={invoice.state} />}>
      {invoice === null ? (
        <Text size="sm">A remake is free of charge. It has no invoice.</Text>
      ) : (
        <Group gap="0 16px" fz="sm">
          <Pdf href={`/studio/v1/invoices/${invoice.invoiceNumber}.pdf`} name={`Invoice ${invoice.invoiceNumber} (PDF)`} />
          <span>
            Issued <Time at={invoice.issuedAt} />
          </span>
          {invoice.state !== 'void' && (
            <span>
              Due <Day day={data?.dueDate} />
              {data?.overdue === true && <b> · ⚠ overdue</b>}
            </span>
          )}
        </Group>
      )}
      <ErrorAlert error={error} />
      {invoice !== null && <MissingBusinessDetailsNote />}
      <Receipt order={order} invoice={data} />
      <TextLink underline="always" to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'statement' }} size="sm">
        View statement
      </TextLink>
    </Panel>
  );
}

/** Totals, payments, credit notes, the voided part, and what became credit on the account, so that it adds up to the amount due. */
function Receipt({ order, invoice }: { order: Order; invoice: WholeInvoice | undefined }) {
  const { currency, subtotalCents, shippingCents, discountCents, rushFeeCents, totalCents, gstCents, payments } = order;
  const { creditNotes = [], voidedCents = 0 } = invoice ?? {};
  const settledCents = sumValid(payments) + sumValid(creditNotes) + voidedCents;
  const creditCents = invoice === undefined ? 0 : dueCents(order) - (totalCents - settledCents);
  return (
    <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} my="xs" aria-label="Receipt">
      <Table.Thead>
        <Table.Tr>
          <Table.Th />
          <Table.Th ta="right" className="nowrap">
            Amount ({currency})
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Row label="Items" cents={subtotalCents} />
        {discountCents !== 0 && <Row label="Discount" cents={-Math.abs(discountCents)} />}
        <Row label="Shipping" cents={shippingCents} />
        {rushFeeCents !== 0 && <Row label="Rush fee" cents={rushFeeCents} />}
        <Row label="Total" cents={totalCents} isSum />
        <Row label="Includes GST" cents={gstCents} />
        {payments.map((payment) => (
          <PaymentRow key={payment.paymentId} order={order} payment={payment} />
        ))}
        {creditNotes.map((note) => (
          <CreditNoteRow key={note.id} order={order} note={note} />
        ))}
        {voidedCents > 0 && <Row label="Voided" cents={-voidedCents} />}
        {creditCents > 0 && <Row label="Became account credit" cents={creditCents} />}
        {order.invoice !== null && <Row label={AMOUNT_DUE} cents={dueCents(order)} isSum />}
      </Table.Tbody>
    </Table>
  );
}

const sumValid = (rows: readonly { amountCents: number; reversedAt: string | null }[]): number =>
  rows.reduce((sum, { amountCents, reversedAt }) => sum + (reversedAt === null ? amountCents : 0), 0);

interface RowProps {
  label: React.ReactNode;
  cents: number;
  /** A sum, below a line. */
  isSum?: boolean;
  isReversed?: boolean;
}

function Row({ label, cents, isSum = false, isReversed = false }: RowProps) {
  const amount = formatAmount(cents);
  return (
    <Table.Tr {...(isSum ? { fw: 700, style: { borderTop: '1px solid var(--mantine-color-default-border)' } } : {})}>
      <Table.Td>{label}</Table.Td>
      <Table.Td ta="right" className="money" valign="top">
        {isReversed ? <s>{amount}</s> : amount}
      </Table.Td>
    </Table.Tr>
  );
}

interface EntryRowProps {
  entry: { amountCents: number; reversedAt: string | null; reversalReason: string | null };
  /** The button that reverses it. */
  reverse: React.ReactNode;
  isReversible: boolean;
  children: React.ReactNode;
}

/** A payment or credit note. */
function EntryRow({ entry: { amountCents, reversedAt, reversalReason }, reverse, isReversible, children }: EntryRowProps) {
  const label = (
    <Group gap="xs">
      <span>
        {children}
        {reversedAt !== null && (
          <>
            {' '}
            · reversed <Time at={reversedAt} />
            {reversalReason && `: ${reversalReason}`}
          </>
        )}
      </span>
      <ActionButtons shown={reversedAt === null && isReversible}>{reverse}</ActionButtons>
    </Group>
  );
  return <Row label={label} cents={-amountCents} isReversed={reversedAt !== null} />;
}

/** A payment on account is reversed there. */
function PaymentRow({ order, payment }: { order: Order; payment: Order['payments'][number] }) {
  const { orderId, accountId, invoice, currency } = order;
  const { paymentId, amountCents, receivedAt, reference } = payment;
  const onAccount = accountPaymentId(paymentId);
  const amount = formatMoney(amountCents, currency);
  const reverse = (
    <Reverse
      what={`payment of ${amount}`}
      subject={`${orderId} payment ${paymentId}`}
      consequences={[
        invoice?.state === 'void'
          ? 'The account loses its credit from this payment. You cannot reverse it if that credit is used.'
          : `${amount} becomes due again on ${invoice?.invoiceNumber ?? 'the invoice'}.`,
        'You cannot undo this, but you can record another payment.',
        notificationText(actionOf(order, 'payment_reversed').eventType, order),
      ]}
      run={(_id, reason) => {
        const params = { path: { id: orderId, paymentId } };
        return callApi(studio.POST('/orders/{id}/payments/{paymentId}/reverse', { params, body: { reason } }));
      }}
    />
  );
  return (
    <EntryRow entry={payment} reverse={reverse} isReversible={onAccount === undefined}>
      Paid <Time at={receivedAt} />
      {reference === null ? '' : ` · ${reference}`}
      {onAccount !== undefined && (
        <>
          {' '}
          ·{' '}
          <TextLink
            underline="always"
            to="/accounts/$account"
            params={{ account: accountId }}
            search={{ tab: 'payments', payment: onAccount }}
          >
            View payment
          </TextLink>
        </>
      )}
    </EntryRow>
  );
}

/** Reversing a credit note increases the invoice again, and takes the rest from the account's credit. */
function CreditNoteRow({ order, note }: { order: Order; note: WholeInvoice['creditNotes'][number] }) {
  const { orderId, currency, accountName, invoice } = order;
  const { creditNoteId, creditNoteNumber, amountCents, reason, createdAt } = note;
  const creditedCents = (invoice?.creditedCents ?? 0) - amountCents;
  const owedAgain = dueCents({ ...order, invoice: invoice && { ...invoice, creditedCents } }) - dueCents(order);
  const fromCredit = amountCents - owedAgain;
  const reverse = (
    <Reverse
      what={`credit note ${creditNoteNumber}`}
      subject={`${orderId} credit note ${creditNoteId}`}
      consequences={[
        ...(owedAgain > 0 ? [`${formatMoney(owedAgain, currency)} becomes due again on ${invoice?.invoiceNumber ?? 'the invoice'}.`] : []),
        ...(fromCredit > 0 ? [`${formatMoney(fromCredit, currency)} is taken from the credit of ${accountName}, unless it is used.`] : []),
        'You cannot undo this, but you can issue another credit note.',
        notificationText(actionOf(order, 'credit_note_reversed').eventType, order),
      ]}
      run={(reversalId, typed) => {
        const params = { path: { id: orderId, creditNoteId } };
        return callApi(studio.POST('/orders/{id}/credit-notes/{creditNoteId}/reverse', { params, body: { reversalId, reason: typed } }));
      }}
    />
  );
  return (
    <EntryRow entry={note} reverse={reverse} isReversible={actionOf(order, 'credit_note_reversed').allowed}>
      <Pdf href={`/studio/v1/credit-notes/${creditNoteNumber}.pdf`} name={`Credit note ${creditNoteNumber} (PDF)`} />{' '}
      <Time at={createdAt} /> · {reason}
    </EntryRow>
  );
}

function Pdf({ href, name }: { href: string; name: string }) {
  return (
    <Anchor size="sm" underline="always" href={href} target="_blank">
      {name}
    </Anchor>
  );
}
