import { Anchor, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { invoiceQuery } from '../../api/reads';
import { accountPaymentId } from '../../billing/parts';
import { ActionButtons } from '../../shared/action';
import { formatAmount } from '../../shared/amount';
import { ErrorAlert } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { MissingBusinessDetailsNote } from '../../shared/settings';
import { StatusBadge } from '../../shared/status';
import { AMOUNT_DUE } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import { ReverseCreditNote, ReversePayment } from './actions/money';
import { actionOf, type CreditNote, dueCents, type Order, type Payment as RecordedPayment } from './order';

export function Payment({ order }: { order: Order }) {
  const { invoice, accountId } = order;
  return (
    <Panel title="Payment" beside={invoice !== null && <StatusBadge of={invoice.state} />}>
      {invoice === null ? (
        <Text size="sm">A remake is free of charge. It has no invoice.</Text>
      ) : (
        <InvoiceLine order={order} invoice={invoice} />
      )}
      <Receipt order={order} />
      <TextLink underline="always" to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'statement' }} size="sm">
        View statement
      </TextLink>
    </Panel>
  );
}

function InvoiceLine({ order, invoice: { invoiceNumber, issuedAt } }: { order: Order; invoice: NonNullable<Order['invoice']> }) {
  const { data, error } = useQuery(invoiceQuery(invoiceNumber));
  return (
    <>
      <Group gap="0 16px" fz="sm">
        <Pdf href={`/studio/v1/invoices/${invoiceNumber}.pdf`} name={`Invoice ${invoiceNumber} (PDF)`} />
        <span>
          Issued <Time at={issuedAt} />
        </span>
        {order.invoice?.state !== 'void' && (
          <span>
            Due <Day day={data?.dueDate} />
            {data?.overdue === true && <b> · ⚠ overdue</b>}
          </span>
        )}
      </Group>
      <ErrorAlert error={error} />
      <MissingBusinessDetailsNote />
    </>
  );
}

/** Totals, payments and credit notes down to the amount due. */
function Receipt({ order }: { order: Order }) {
  const { currency, subtotalCents, shippingCents, discountCents, rushFeeCents, totalCents, gstCents, invoice, payments } = order;
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
          <PaymentRow key={payment.paymentId} order={order} recorded={payment} />
        ))}
        {invoice !== null && <InvoiceRows order={order} invoiceNumber={invoice.invoiceNumber} />}
        {invoice !== null && <Row label={AMOUNT_DUE} cents={dueCents(order)} isSum />}
      </Table.Tbody>
    </Table>
  );
}

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

/** A payment on account is reversed there. */
function PaymentRow({ order, recorded }: { order: Order; recorded: RecordedPayment }) {
  const { paymentId, amountCents, receivedAt, reference, reversedAt } = recorded;
  const [account, payment] = [order.accountId, accountPaymentId(paymentId)];
  const label = (
    <Group gap="xs">
      <span>
        Paid <Time at={receivedAt} />
        {reference === null ? '' : ` · ${reference}`}
        {payment !== undefined && (
          <>
            {' '}
            ·{' '}
            <TextLink underline="always" to="/accounts/$account" params={{ account }} search={{ tab: 'payments', payment }}>
              View payment
            </TextLink>
          </>
        )}
        <Reversal reversedAt={reversedAt} />
      </span>
      <ActionButtons shown={reversedAt === null && payment === undefined}>
        <ReversePayment order={order} payment={recorded} />
      </ActionButtons>
    </Group>
  );
  return <Row label={label} cents={-amountCents} isReversed={reversedAt !== null} />;
}

function Reversal({ reversedAt, reason = null }: { reversedAt: string | null; reason?: string | null }) {
  return reversedAt === null ? null : <> · reversed <Time at={reversedAt} />{reason === null ? '' : `: ${reason}`}</>; // prettier-ignore
}

/** Credit notes, the voided part, and what became credit on the account, so that the receipt adds up. */
function InvoiceRows({ order, invoiceNumber }: { order: Order; invoiceNumber: string }) {
  const invoice = useQuery(invoiceQuery(invoiceNumber)).data;
  if (invoice === undefined) return null;
  const { creditNotes, voidedCents } = invoice;
  const settledCents = sumValid(order.payments) + sumValid(creditNotes) + voidedCents;
  const creditCents = dueCents(order) - (order.totalCents - settledCents);
  return (
    <>
      {creditNotes.map((note) => (
        <CreditNoteRow key={note.id} order={order} note={note} />
      ))}
      {voidedCents > 0 && <Row label="Voided" cents={-voidedCents} />}
      {creditCents > 0 && <Row label="Became account credit" cents={creditCents} />}
    </>
  );
}

const sumValid = (rows: readonly { amountCents: number; reversedAt: string | null }[]): number =>
  rows.reduce((sum, { amountCents, reversedAt }) => sum + (reversedAt === null ? amountCents : 0), 0);

function CreditNoteRow({ order, note }: { order: Order; note: CreditNote }) {
  const { creditNoteNumber, amountCents, reason, createdAt, reversedAt, reversalReason } = note;
  const label = (
    <Group gap="xs">
      <span>
        <Pdf href={`/studio/v1/credit-notes/${creditNoteNumber}.pdf`} name={`Credit note ${creditNoteNumber} (PDF)`} />{' '}
        <Time at={createdAt} /> · {reason}
        <Reversal reversedAt={reversedAt} reason={reversalReason} />
      </span>
      <ActionButtons shown={reversedAt === null && actionOf(order, 'credit_note_reversed').allowed}>
        <ReverseCreditNote order={order} note={note} />
      </ActionButtons>
    </Group>
  );
  return <Row label={label} cents={-amountCents} isReversed={reversedAt !== null} />;
}

function Pdf({ href, name }: { href: string; name: string }) {
  return (
    <Anchor size="sm" underline="always" href={href} target="_blank">
      {name}
    </Anchor>
  );
}
