import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { invoiceQuery } from '../../api/reads';
import { ask, studio } from '../../api/studio';
import { Action, Offered } from '../../shared/action';
import { formatMoney } from '../../shared/amount';
import { ON_ACCOUNT } from '../../shared/bank-line';
import { Money as Amount } from '../../shared/money';
import { FactList, type Facts, Part } from '../../shared/part';
import { UntoldLine } from '../../shared/settings';
import { Status } from '../../shared/status';
import { To } from '../../shared/to';
import { Refused } from '../../shared/told';
import { Day, When } from '../../shared/when';
import { ReverseCreditNote } from './actions/money';
import { actionOf, type CreditNote, dueCents, type Order, type Payment } from './order';
import { whoIsTold } from './words';

type Billed = NonNullable<Order['invoice']>;

export function Money({ order }: { order: Order }) {
  const { invoice, accountId } = order;
  return (
    <Part title="Money" beside={invoice !== null && <Pdf href={`/studio/v1/invoices/${invoice.invoiceNumber}.pdf`} name="Invoice (PDF)" />}>
      <FactList facts={totalsOf(order)} />
      {invoice === null ? (
        <Text size="sm">There is no invoice: nothing is charged for a remake.</Text>
      ) : (
        <>
          <Title order={3} size="h5" mt="sm">
            Invoice {invoice.invoiceNumber} <Status of={invoice.state} />
          </Title>
          <UntoldLine />
          <FactList facts={invoiceRows(order, invoice)} />
          <CreditNotes order={order} number={invoice.invoiceNumber} />
        </>
      )}
      <Payments order={order} />
      <To underline="always" to="/accounts/$account" params={{ account: accountId }} size="sm">
        The account, with its statement and all its invoices
      </To>
    </Part>
  );
}

function totalsOf({ currency, subtotalCents, shippingCents, discountCents, rushFeeCents, totalCents, gstCents }: Order): Facts {
  const amount = (cents: number) => <Amount cents={cents} currency={currency} />;
  return {
    Lines: amount(subtotalCents),
    Shipping: amount(shippingCents),
    Discount: amount(discountCents === 0 ? 0 : -Math.abs(discountCents)),
    Rush: amount(rushFeeCents),
    Total: <b>{amount(totalCents)}</b>,
    'GST in it': amount(gstCents),
  };
}

function invoiceRows(order: Order, { invoiceNumber, paidCents, creditedCents, issuedAt, state }: Billed): Facts {
  const amount = (cents: number) => <Amount cents={cents} currency={order.currency} />;
  return {
    Paid: amount(paidCents),
    Credited: amount(creditedCents),
    Outstanding: <b>{amount(dueCents(order))}</b>,
    Issued: <When at={issuedAt} />,
    'To be paid by': state !== 'void' && <By number={invoiceNumber} />,
  };
}

function By({ number }: { number: string }) {
  const { data } = useQuery(invoiceQuery(number));
  return (
    <>
      <Day day={data?.dueDate} />
      {data?.overdue === true && <b> · ⚠ overdue</b>}
    </>
  );
}

function CreditNotes({ order, number }: { order: Order; number: string }) {
  const { data, error } = useQuery(invoiceQuery(number));
  if (data === undefined) return <Refused error={error} />;
  return data.creditNotes.map((note) => <Note key={note.id} order={order} note={note} />);
}

function Note({ order, note }: { order: Order; note: CreditNote }) {
  const { creditNoteNumber, amountCents, reason, createdAt, reversedAt, reversalReason } = note;
  return (
    <Group justify="space-between" gap="xs" mt={4}>
      <Text size="sm" flex={1} miw={180}>
        <Pdf href={`/studio/v1/credit-notes/${creditNoteNumber}.pdf`} name={`Credit note ${creditNoteNumber} (PDF)`} />:{' '}
        <Amount cents={amountCents} currency={order.currency} />, {reason}, <When at={createdAt} />
        {reversedAt !== null && (
          <>
            , <b>reversed</b> <When at={reversedAt} />: {reversalReason}
          </>
        )}
      </Text>
      <Offered value={reversedAt === null && actionOf(order, 'credit_note_reversed').allowed}>
        <ReverseCreditNote order={order} note={note} />
      </Offered>
    </Group>
  );
}

function Pdf({ href, name }: { href: string; name: string }) {
  return (
    <Anchor size="sm" underline="always" href={href} target="_blank">
      {name}
    </Anchor>
  );
}

function Payments({ order }: { order: Order }) {
  if (order.payments.length === 0) return null;
  return (
    <Stack gap={4} my="sm">
      <Title order={3} size="h5">
        Payments
      </Title>
      {order.payments.map((payment) => (
        <Group key={payment.paymentId} justify="space-between" gap="xs">
          <Text size="sm" flex={1} miw={180}>
            <Amount cents={payment.amountCents} currency={order.currency} />, <When at={payment.receivedAt} />
            {payment.reference === null ? '' : `, ${payment.reference}`}
            {payment.reversedAt !== null && (
              <>
                , <b>reversed</b> <When at={payment.reversedAt} />
              </>
            )}
          </Text>
          {payment.reversedAt === null && <Reversing order={order} payment={payment} />}
        </Group>
      ))}
    </Stack>
  );
}

function Reversing({ order, payment }: { order: Order; payment: Payment }) {
  const { paymentId, amountCents } = payment;
  if (paymentId.startsWith(ON_ACCOUNT))
    return (
      <Text size="xs">
        a share of a payment on account, reversed as a whole{' '}
        <To underline="always" to="/accounts/$account" params={{ account: order.accountId }}>
          at the account
        </To>
      </Text>
    );
  const amount = formatMoney(amountCents, order.currency);
  return (
    <Action
      label="Reverse"
      title={`Reverse the payment of ${amount}`}
      says={[
        order.invoice?.state === 'void'
          ? 'The credit that it had become is taken away again; where that has been used, it is refused.'
          : `${amount} is outstanding on ${order.invoice?.invoiceNumber ?? 'the invoice'} again.`,
        'A reversed payment does not come back; it is recorded anew.',
        whoIsTold(actionOf(order, 'payment_reversed').tells, order),
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/orders/{id}/payments/{paymentId}', { params: { path: { id: order.orderId, paymentId } } }))}
      done={() => `The payment of ${amount} is reversed`}
      danger
    />
  );
}
