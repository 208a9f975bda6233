import { Anchor, Group, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../../api/studio';
import type { Of } from '../../../api/types';
import { Money } from '../../../shared/money';
import { Refused, Waiting } from '../../../shared/told';
import { When } from '../../../shared/when';
import { useAddress } from '../../../shared/address';
import type { Account } from '../draft';
import { Facts } from '../Facts';
import { InvoiceLink } from '../InvoiceLink';
import { Rows, type RowsColumn } from '../../../shared/rows';
import { OrderLink } from '../../../shared/orders';
import { Reverse } from './Reverse';

/** One payment on account, with the invoices that it paid. */
export function PaymentDetails({ paymentId, account, currency }: { paymentId: string; account: Account; currency: string }) {
  const [, change] = useAddress();
  const { id } = account;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['payments', 'one', id, paymentId],
    queryFn: () => ask(studio.GET('/accounts/{id}/payments/{paymentId}', { params: { path: { id, paymentId } } })),
  });
  return (
    <Stack gap="sm">
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => change({ payment: undefined }, 'goes')}>
        All payments of {account.name}
      </Anchor>
      {isPending && <Waiting what="Reading the payment" />}
      <Refused error={error} retry={() => void refetch()} />
      {data !== undefined && <Shown payment={data} currency={currency} />}
    </Stack>
  );
}

function Shown({ payment, currency }: { payment: Of<'AccountPayment'>; currency: string }) {
  const { paymentId, amountCents, unappliedCents, source, receivedAt, reference, createdAt, invoices } = payment;
  return (
    <>
      <Group gap="sm">
        <Title order={2} size="h3">
          Payment <span className="mono">{paymentId}</span>
        </Title>
        <Reverse payment={payment} currency={currency} />
      </Group>
      <Paper withBorder p="md">
        <Facts
          facts={[
            ['Amount', <Money key="amount" cents={amountCents} currency={currency} />],
            ['From', source === 'credit' ? 'credit of the account' : 'the bank'],
            ['Received', <When key="received" at={receivedAt} />],
            ['Recorded', <When key="recorded" at={createdAt} />],
            ['Reference', reference ?? '–'],
            ['Left as credit', <Money key="left" cents={unappliedCents} currency={currency} />],
          ]}
        />
      </Paper>
      <Paid invoices={invoices} of={payment.accountId} currency={currency} />
    </>
  );
}

type PaidInvoice = Of<'AccountPayment'>['invoices'][number];

function Paid({ invoices, of, currency }: { invoices: readonly PaidInvoice[]; of: string; currency: string }) {
  return (
    <Rows
      empty="It paid no invoice."
      label="Invoices that it paid"
      rows={invoices}
      keyOf={({ invoiceId }) => invoiceId}
      columns={columnsOf(of, currency)}
    />
  );
}

const columnsOf = (accountId: string, currency: string): readonly RowsColumn<PaidInvoice>[] => [
  { heading: 'Invoice', cell: ({ invoiceNumber }) => <InvoiceLink accountId={accountId} number={invoiceNumber} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Paid by it', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
];
