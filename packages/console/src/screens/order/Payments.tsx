import { Group, Stack, Text, Title } from '@mantine/core';
import { ask, studio } from '../../api/studio';
import { Action } from '../../shared/action';
import { formatMoney } from '../../shared/amount';
import { Money } from '../../shared/money';
import { When } from '../../shared/when';
import { actionOf, type Order, type Payment } from './order';
import { whoIsTold } from './words';
import { To } from '../../shared/to';

/** What ids of payments begin with that are a share of a payment on account (studio API "Money"). */
const ON_ACCOUNT = 'account:';

/** Money that came in for the order, reversed ones too. */
export function Payments({ order }: { order: Order }) {
  if (order.payments.length === 0) return null;
  return (
    <Stack gap={4} my="sm">
      <Title order={3} size="h5">
        Payments
      </Title>
      {order.payments.map((payment) => (
        <Group key={payment.paymentId} justify="space-between" gap="xs">
          <Text size="sm" flex={1} miw={180}>
            <Money cents={payment.amountCents} currency={order.currency} />, <When at={payment.receivedAt} />
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
