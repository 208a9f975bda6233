import { Alert, Anchor, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, page, studio } from '../../api/studio';
import type { Environment, Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { Action, Offered } from '../../shared/action';
import { useFields } from '../../shared/fields';
import { useAddress } from '../../shared/address';
import { ReversalReason } from '../../shared/inputs';
import { Message } from '../../shared/attention';
import { centsOf, formatMoney } from '../../shared/amount';
import { type Column, ListTable, Rows, type RowsColumn, useList } from '../../shared/list';
import { Money } from '../../shared/money';
import { OrderLink } from '../../shared/orders';
import { FactList } from '../../shared/part';
import { wordsOf } from '../../shared/status';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import type { Account } from './draft';
import { InvoiceLink, PaymentLink, Reversed } from './parts';
import { TakePayment } from './TakePayment';

export function Payments({ account }: { account: Account }) {
  const [{ payment }] = useAddress();
  const [environment] = useEnvironment();
  const { currency } = account;
  if (payment !== undefined) return <PaymentDetails paymentId={payment} account={account} currency={currency} />;
  const { outstandingCents, creditCents } = account[environment];
  const of = { account, environment, currency };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text>
          <b>{formatMoney(outstandingCents, currency)}</b> outstanding, <b>{formatMoney(Math.abs(creditCents), currency)}</b>{' '}
          {creditCents < 0 ? 'owed for used credit' : 'in credit'}
          {environment === 'test' && ', of test orders'}
        </Text>
        <Group gap="xs">
          <Offered value={creditCents > 0}>
            <PayBack {...of} />
          </Offered>
          <Offered value={creditCents > 0 && outstandingCents > 0}>
            <TakePayment {...of} source="credit" />
          </Offered>
          <TakePayment {...of} source="money" />
        </Group>
      </Group>
      {creditCents < 0 && (
        <Text size="sm">
          A payment was reversed after its credit was used. A payment that pays no invoice settles it: “Take a payment”, and keep all of it
          as credit.
        </Text>
      )}
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

type Row = Of<'AccountPaymentRow'>;

function PaymentList({ account: { id }, environment, currency }: { account: Account; environment: Environment; currency: string }) {
  const [, change] = useAddress();
  const list = useList<Row>(['payments', id, environment], (cursor) =>
    page(studio.GET('/accounts/{id}/payments', { params: { path: { id }, query: { environment, cursor } } })),
  );
  return (
    <ListTable
      label="Payments"
      list={list}
      columns={columnsIn(currency)}
      keyOf={({ paymentId }) => paymentId}
      empty="No payment over invoices yet. “Take a payment” records one; what was paid on a single order stands with its invoice."
      open={({ paymentId }) => change({ payment: paymentId }, 'goes')}
    />
  );
}

const columnsIn = (currency: string): readonly Column<Row>[] => [
  { heading: 'Received', cell: ({ receivedAt }) => <When at={receivedAt} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'From', cell: ({ source }) => (source === 'credit' ? 'credit' : 'the bank') },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Invoices', right: true, cell: ({ invoiceCount }) => invoiceCount },
  { heading: 'Left as credit', right: true, cell: ({ unappliedCents }) => <Money cents={unappliedCents} currency={currency} /> },
  { heading: 'Payment', cell: ({ accountId, paymentId }) => <PaymentLink accountId={accountId} paymentId={paymentId} /> },
  { heading: '', cell: (payment) => <Reverse payment={payment} currency={currency} /> },
];

function RefundList({ account, environment, currency }: { account: Account; environment: Environment; currency: string }) {
  const { id } = account;
  const list = useList<Of<'Refund'>>(['payments', 'refunds', id, environment], (cursor) =>
    page(studio.GET('/accounts/{id}/refunds', { params: { path: { id }, query: { environment, cursor } } })),
  );
  return (
    <ListTable
      label="Paid back"
      list={list}
      columns={refundColumns(account, currency)}
      keyOf={({ refundId }) => refundId}
      empty="Nothing was paid back. Where an account has credit, “Pay back” records it."
    />
  );
}

const refundColumns = (account: Account, currency: string): readonly Column<Of<'Refund'>>[] => [
  { heading: 'Recorded', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Its id', cell: ({ refundId }) => <span className="mono">{refundId}</span> },
  {
    heading: 'Reversed',
    cell: (refund) => (
      <>
        <Reversed of={refund} />
        <Offered value={refund.reversedAt === null}>
          <ReverseRefund refund={refund} account={account} currency={currency} />
        </Offered>
      </>
    ),
  },
];

function ReverseRefund({ refund, account, currency }: { refund: Of<'Refund'>; account: Account; currency: string }) {
  const { fields, typed, clear } = useFields(() => ({ reason: '' }));
  const { accountId, refundId } = refund;
  const amount = formatMoney(refund.amountCents, currency);
  return (
    <Action
      label="Reverse"
      to={`the refund of ${amount} (${refundId})`}
      title={`Reverse the refund of ${amount}`}
      danger
      says={[
        `${amount} becomes credit of ${account.name} again. Reverse a refund when its money came back to the studio’s bank account.`,
        'You cannot undo this, but you can pay the credit back again. The client is not notified.',
      ]}
      run={(reversalId) =>
        ask(
          studio.POST('/accounts/{id}/refunds/{refundId}/reverse', {
            params: { path: { id: accountId, refundId } },
            body: { reversalId, reason: fields.reason.trim() },
          }),
        )
      }
      onOpen={clear}
      ready={fields.reason.trim() !== ''}
      done={() => `The refund of ${amount} is reversed`}
    >
      <ReversalReason {...typed('reason')} />
    </Action>
  );
}

function PaymentDetails({ paymentId, account, currency }: { paymentId: string; account: Account; currency: string }) {
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
  const { paymentId, amountCents, unappliedCents, source, receivedAt, reference, createdAt, invoices, attention } = payment;
  return (
    <>
      <Group gap="sm">
        <Title order={2} size="h3">
          Payment <span className="mono">{paymentId}</span>
        </Title>
        <Reverse payment={payment} currency={currency} />
      </Group>
      {attention.map(({ code, message }) => (
        <Alert key={code} color="yellow" title={wordsOf(code)} className="wraps">
          <Message of={message} />
        </Alert>
      ))}
      <Paper withBorder p="md">
        <FactList
          facts={{
            Amount: <Money cents={amountCents} currency={currency} />,
            From: source === 'credit' ? 'credit of the account' : 'the bank',
            Received: <When at={receivedAt} />,
            Recorded: <When at={createdAt} />,
            Reference: reference ?? '–',
            'Left as credit': <Money cents={unappliedCents} currency={currency} />,
          }}
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

function Reverse({ payment, currency }: { payment: Of<'AccountPaymentRow'>; currency: string }) {
  const { accountId: id, paymentId, amountCents, unappliedCents, invoiceCount, reversedAt, source } = payment;
  if (reversedAt !== null)
    return (
      <>
        Reversed <When at={reversedAt} />
      </>
    );
  const applied = amountCents - unappliedCents;
  const invoices = `${invoiceCount} ${invoiceCount === 1 ? 'invoice' : 'invoices'}`;
  return (
    <Action
      label="Reverse"
      to={`the payment of ${formatMoney(amountCents, currency)}`}
      title={`Reverse ${formatMoney(amountCents, currency)} (${paymentId})`}
      danger
      says={[
        ...(invoiceCount > 0 ? [`${formatMoney(applied, currency)} is owed again, on ${invoices}.`] : []),
        ...(source === 'credit' ? ['The credit that it used comes back to the account.'] : []),
        ...(unappliedCents > 0
          ? [`${formatMoney(unappliedCents, currency)} goes from the credit. If that was used, the account owes it.`]
          : []),
        'All of it or nothing: for a part, reverse it and record the right one. The client is not told.',
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/accounts/{id}/payments/{paymentId}', { params: { path: { id, paymentId } } }))}
      done={() => `${formatMoney(amountCents, currency)} is reversed`}
    />
  );
}

function PayBack({ account, environment, currency }: { account: Account; environment: Environment; currency: string }) {
  const creditCents = Math.max(0, account[environment].creditCents);
  const { fields, typed, clear } = useFields(() => ({ amount: formatMoney(creditCents, '').trim(), reference: '' }));
  const amountCents = centsOf(fields.amount, currency);
  const fits = amountCents !== null && amountCents > 0 && amountCents <= creditCents;
  const run = (refundId: string) => {
    const body = { refundId, environment, amountCents: amountCents ?? 0, reference: fields.reference.trim() || null };
    return ask(studio.POST('/accounts/{id}/refunds', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Pay back"
      title={`Pay credit back to ${account.name}`}
      says={[
        'This records what you paid back from the studio’s bank account. It moves no money itself.',
        'The account’s credit becomes less by it. The client is not told.',
      ]}
      run={run}
      done={(refund) => `${formatMoney(refund.amountCents, currency)} paid back`}
      ready={fits}
      onOpen={clear}
    >
      <TextInput
        label={`Amount, in ${currency}`}
        inputMode="decimal"
        required
        data-autofocus
        description={`It has ${formatMoney(creditCents, currency)} in credit.`}
        error={fields.amount !== '' && !fits && `An amount up to ${formatMoney(creditCents, currency)}`}
        {...typed('amount')}
      />
      <TextInput label="Reference" description="Stands on the statement. May be left out." maxLength={500} {...typed('reference')} />
    </Action>
  );
}
