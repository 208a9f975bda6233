import { Group, Stack, Text, Title } from '@mantine/core';
import { useEnvironment } from '../../../session/environment';
import { formatMoney } from '../../../shared/amount';
import { useAddress } from '../../../shared/address';
import { useCurrency } from '../currency';
import type { Account } from '../draft';
import { PayBack } from './PayBack';
import { PaymentDetails } from './PaymentDetails';
import { PaymentList } from './PaymentList';
import { RefundList } from './RefundList';
import { TakePayment } from './TakePayment';

/** What an account paid, and what was paid back; one payment where the address names it. */
export function Payments({ account }: { account: Account }) {
  const [{ payment }] = useAddress();
  const [environment] = useEnvironment();
  const currency = useCurrency(account.id);
  if (payment !== undefined) return <PaymentDetails paymentId={payment} account={account} currency={currency} />;
  const { outstandingCents, creditCents } = account[environment];
  const of = { account, environment, currency };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text>
          <b>{formatMoney(outstandingCents, currency)}</b> outstanding, <b>{formatMoney(creditCents, currency)}</b> in credit
          {environment === 'test' && ', of test orders'}
        </Text>
        <Group gap="xs">
          {creditCents > 0 && <PayBack {...of} />}
          {creditCents > 0 && outstandingCents > 0 && <TakePayment {...of} source="credit" />}
          <TakePayment {...of} source="money" />
        </Group>
      </Group>
      <Title order={2} size="h4">
        Payments over invoices
      </Title>
      <PaymentList {...of} />
      <Title order={2} size="h4">
        Paid back
      </Title>
      <RefundList {...of} />
    </Stack>
  );
}
