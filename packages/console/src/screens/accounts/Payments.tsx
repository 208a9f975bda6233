import { Alert, Anchor, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, callApiPage, type Environment, type Schema, studio } from '../../api/studio';
import { InvoiceLink, PAYMENT_SOURCES, PaymentLink, Reverse, Reversed } from '../../billing/parts';
import { RecordPayment } from '../../billing/RecordPayment';
import { useEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import { Action, ActionButtons, useActionForm } from '../../shared/action';
import { amountProblem, formatAmount, formatMoney, parseCents } from '../../shared/amount';
import { Amount, Money } from '../../shared/money';
import { AttentionMessage } from '../../shared/attention';
import { DuplicateWarning, isRecent, useDuplicateCheck } from '../../shared/duplicate-check';
import { Loaded } from '../../shared/feedback';
import { AmountInput, DayInput } from '../../shared/inputs';
import { noonOfDay, todayIn } from '../../shared/local-time';
import { type Column, ListTable, StaticTable, type RowsColumn, useList } from '../../shared/list';
import { OrderLink } from '../../shared/orders';
import { FactList, Panel } from '../../shared/layout';
import { useSearchParams } from '../../shared/search-params';
import { CLIENT_NOT_NOTIFIED, plural, statusLabel } from '../../shared/words';
import { Time } from '../../shared/time';
import type { Account } from './account-form';

export function Payments({ account }: { account: Account }) {
  const [{ payment }] = useSearchParams();
  const [environment] = useEnvironment();
  const { currency } = account;
  if (payment !== undefined) return <PaymentDetails paymentId={payment} account={account} />;
  const { outstandingCents, creditCents } = account[environment];
  const props = { account, environment };
  const payer = { accountId: account.id, accountName: account.name, currency, environment };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text>
          <b>{formatMoney(outstandingCents, currency)}</b> outstanding · <b>{formatMoney(Math.abs(creditCents), currency)}</b>{' '}
          {creditCents < 0 ? 'owed for used credit' : 'in credit'}
          {environment === 'test' && ' · test orders'}
        </Text>
        <Group gap="xs">
          <ActionButtons shown={creditCents > 0}>
            <RefundCredit {...props} />
          </ActionButtons>
          <ActionButtons shown={creditCents > 0 && outstandingCents > 0}>
            <RecordPayment payer={payer} credit={account[environment]} />
          </ActionButtons>
          <RecordPayment payer={payer} />
        </Group>
      </Group>
      {creditCents < 0 && (
        <Text size="sm">A payment was reversed after its credit was used. To settle it, record a payment that pays no invoices.</Text>
      )}
      <Panel title="Payments">
        <PaymentList {...props} />
      </Panel>
      <Panel title="Refunds">
        <RefundList {...props} />
      </Panel>
    </Stack>
  );
}

interface ListProps {
  account: Account;
  environment: Environment;
}

type Row = Schema<'AccountPaymentRow'>;

function PaymentList({ account: { id, currency }, environment }: ListProps) {
  const list = useList<Row>(['payments', id, environment], (cursor) =>
    callApiPage(studio.GET('/accounts/{id}/payments', { params: { path: { id }, query: { environment, cursor } } })),
  );
  return (
    <ListTable
      label="Payments"
      noun="payment"
      list={list}
      columns={columnsIn(currency)}
      keyOf={({ paymentId }) => paymentId}
      empty="No payments. Payments of single orders are on their invoices."
      opens
    />
  );
}

const columnsIn = (currency: string): readonly Column<Row>[] => [
  { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { heading: `Amount (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: 'Source', cell: ({ source }) => PAYMENT_SOURCES[source] ?? source },
  { heading: 'Reference', wrap: true, cell: ({ reference }) => reference },
  { heading: 'Invoices', right: true, cell: ({ invoiceCount }) => invoiceCount },
  { heading: `To credit (${currency})`, right: true, cell: ({ unappliedCents }) => <Amount cents={unappliedCents} /> },
  { heading: 'Payment', wrap: true, cell: ({ accountId, paymentId }) => <PaymentLink accountId={accountId} paymentId={paymentId} /> },
  { heading: '', cell: (payment) => <PaymentReversal payment={payment} currency={currency} /> },
];

function RefundList({ account, environment }: ListProps) {
  const { id } = account;
  const list = useList<Schema<'Refund'>>(['payments', 'refunds', id, environment], (cursor) =>
    callApiPage(studio.GET('/accounts/{id}/refunds', { params: { path: { id }, query: { environment, cursor } } })),
  );
  return (
    <ListTable
      label="Refunds"
      noun="refund"
      list={list}
      columns={refundColumns(account)}
      keyOf={({ refundId }) => refundId}
      empty="No refunds"
    />
  );
}

const refundColumns = (account: Account): readonly Column<Schema<'Refund'>>[] => [
  { heading: 'Refunded', cell: ({ refundedAt }) => <Time at={refundedAt} /> },
  { heading: `Amount (${account.currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: 'Reference', wrap: true, cell: ({ reference }) => reference },
  { heading: 'Refund', wrap: true, cell: ({ refundId }) => <span className="mono">{refundId}</span> },
  { heading: 'Reversed', cell: (refund) => <RefundReversal refund={refund} account={account} /> },
];

function RefundReversal({ refund, account: { id, name, currency } }: { refund: Schema<'Refund'>; account: Account }) {
  const { refundId, amountCents, reversedAt } = refund;
  const amount = formatMoney(amountCents, currency);
  return (
    <>
      <Reversed of={refund} />
      <ActionButtons shown={reversedAt === null}>
        <Reverse
          what={`refund of ${amount}`}
          subject={`${id} refund ${refundId}`}
          consequences={[
            `Use this if the money came back to the studio’s bank account. ${amount} becomes credit of ${name} again.`,
            `You cannot undo this. ${CLIENT_NOT_NOTIFIED}`,
          ]}
          run={(reversalId, reason) => {
            const params = { path: { id, refundId } };
            return callApi(studio.POST('/accounts/{id}/refunds/{refundId}/reverse', { params, body: { reversalId, reason } }));
          }}
        />
      </ActionButtons>
    </>
  );
}

function PaymentDetails({ paymentId, account }: { paymentId: string; account: Account }) {
  const [, change] = useSearchParams();
  const { id, currency } = account;
  const query = useQuery({
    queryKey: ['payments', 'one', id, paymentId],
    queryFn: () => callApi(studio.GET('/accounts/{id}/payments/{paymentId}', { params: { path: { id, paymentId } } })),
  });
  return (
    <Stack gap="sm">
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => change({ payment: undefined }, 'push')}>
        All payments of {account.name}
      </Anchor>
      <Loaded query={query} what="Loading the payment">
        {(payment) => <PaymentBody payment={payment} currency={currency} />}
      </Loaded>
    </Stack>
  );
}

function PaymentBody({ payment, currency }: { payment: Schema<'AccountPayment'>; currency: string }) {
  const { paymentId, amountCents, unappliedCents, source, receivedAt, reference, createdAt, invoices, attention } = payment;
  return (
    <>
      <Group gap="sm">
        <Title order={2} size="h3">
          Payment <span className="mono">{paymentId}</span>
        </Title>
        <PaymentReversal payment={payment} currency={currency} />
      </Group>
      {attention.map(({ code, message }) => (
        <Alert key={code} color="yellow" title={statusLabel(code)} className="wraps">
          <AttentionMessage of={message} />
        </Alert>
      ))}
      <Paper withBorder p="md">
        <FactList
          facts={{
            Amount: <Money cents={amountCents} currency={currency} />,
            Source: PAYMENT_SOURCES[source] ?? source,
            Received: <Time at={receivedAt} />,
            Recorded: <Time at={createdAt} />,
            Reference: reference ?? '–',
            'Added to credit': <Money cents={unappliedCents} currency={currency} />,
          }}
        />
      </Paper>
      <StaticTable
        empty="It paid no invoices."
        label="Paid invoices"
        rows={invoices}
        keyOf={({ invoiceId }) => invoiceId}
        columns={paidInvoiceColumns(currency)}
      />
    </>
  );
}

const paidInvoiceColumns = (currency: string): readonly RowsColumn<Schema<'AccountPayment'>['invoices'][number]>[] => [
  { heading: 'Invoice', cell: ({ invoiceNumber }) => <InvoiceLink number={invoiceNumber} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: `Paid (${currency})`, right: true, cell: ({ amountCents }) => <Amount cents={amountCents} /> },
];

function PaymentReversal({ payment, currency }: { payment: Schema<'AccountPaymentRow'>; currency: string }) {
  const { accountId: id, paymentId, amountCents, unappliedCents, invoiceCount, reversedAt, source } = payment;
  if (reversedAt !== null)
    return (
      <span>
        Reversed <Reversed of={payment} />
      </span>
    );
  return (
    <Reverse
      what={`payment of ${formatMoney(amountCents, currency)}`}
      subject={`${id} payment ${paymentId}`}
      consequences={[
        ...(invoiceCount > 0
          ? [`${formatMoney(amountCents - unappliedCents, currency)} is outstanding again on ${plural(invoiceCount, 'invoice')}.`]
          : []),
        ...(source === 'credit' ? ['The used credit returns to the account.'] : []),
        ...(unappliedCents > 0 ? [`${formatMoney(unappliedCents, currency)} is taken from the credit. Used credit is then owed.`] : []),
        `Reverses the whole payment. ${CLIENT_NOT_NOTIFIED}`,
      ]}
      run={(_id, reason) => {
        const params = { path: { id, paymentId } };
        return callApi(studio.POST('/accounts/{id}/payments/{paymentId}/reverse', { params, body: { reason } }));
      }}
    />
  );
}

function RefundCredit({ account, environment }: ListProps) {
  const { currency } = account;
  const { timeZone } = useSession();
  const today = todayIn(timeZone);
  const creditCents = Math.max(0, account[environment].creditCents);
  const form = useActionForm(
    () => ({ amount: formatAmount(creditCents), refundedOn: today, reference: '' }),
    ({ amount, refundedOn }) => ({
      amount: amountProblem(amount, creditCents, currency),
      refundedOn: refundedOn === '' && 'Enter the day of the refund',
    }),
  );
  const amountCents = parseCents(form.values.amount, currency) ?? 0;
  const readRefunds = async () =>
    (await callApiPage(studio.GET('/accounts/{id}/refunds', { params: { path: { id: account.id }, query: { environment, limit: 100 } } })))
      .rows;
  const duplicate = useDuplicateCheck({
    noun: 'refunds',
    values: amountCents > 0 ? `${account.id} ${environment} ${amountCents}` : null,
    find: async () =>
      (await readRefunds())
        .filter((refund) => refund.amountCents === amountCents && refund.reversedAt === null && isRecent(refund.createdAt))
        .map(({ refundId }) => refundId),
  });
  const run = (refundId: string) => {
    duplicate.setConfirmed(true);
    const { refundedOn, reference } = form.values;
    const refundedAt = refundedOn === today ? null : noonOfDay(refundedOn, timeZone);
    const body = { refundId, environment, amountCents, refundedAt, reference: reference.trim() || null };
    return callApi(studio.POST('/accounts/{id}/refunds', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Refund credit"
      title={`Refund credit to ${account.name}`}
      consequences={[`Records money that you paid from the studio’s bank account. No money moves. ${CLIENT_NOT_NOTIFIED}`]}
      subject={`${account.id} ${environment}`}
      run={run}
      find={async (refundId) => (await readRefunds()).some((refund) => refund.refundId === refundId)}
      toast={(refund) => `${formatMoney(refund.amountCents, currency)} refunded`}
      {...form.action}
      ready={form.action.ready && duplicate.isReady}
      onOpen={duplicate.reset}
    >
      <AmountInput
        label="Amount"
        currency={currency}
        maxCents={creditCents}
        withAsterisk
        data-autofocus
        description={`${formatMoney(creditCents, currency)} in credit`}
        {...form.field('amount')}
      />
      <DuplicateWarning title="Possible duplicate" label="This is another refund" check={duplicate}>
        A refund of this amount was recorded within the last ten minutes.
      </DuplicateWarning>
      <DayInput label="Refunded" withAsterisk clearable={false} daysAhead={0} {...form.field('refundedOn')} />
      <TextInput label="Reference" description="Shown on the statement." maxLength={500} {...form.field('reference')} />
    </Action>
  );
}
