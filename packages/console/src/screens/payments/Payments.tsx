import { Tabs } from '@mantine/core';
import { type Schema, type QueryOf, callApi, callApiPage, studio } from '../../api/studio';
import { InvoiceLink, PAYMENT_SOURCES, PaymentLink, Reversed } from '../../billing/parts';
import { Screen } from '../../shared/layout';
import type { Column } from '../../shared/list';
import { Amount } from '../../shared/money';
import { AccountLink } from '../../shared/orders';
import { useSearchParams } from '../../shared/search-params';
import { Time } from '../../shared/time';
import { MoneyList, type MoneyListProps } from './MoneyList';

/** The payments, refunds and credit notes of all accounts. */
export function Payments() {
  const [{ tab }, change] = useSearchParams();
  const open = TABS.find(({ name }) => name === tab)?.name ?? 'payments';
  return (
    <Screen title="Payments" minRole="office" what="accounts and money">
      <Tabs
        value={open}
        onChange={(next) => change({ tab: next === 'payments' || next === null ? undefined : next, source: undefined }, 'push')}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, List }) => (
          <Tabs.Panel key={name} value={name}>
            <List />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}

type PaymentRow = Schema<'PaymentRow'>;
type RefundRow = Schema<'RefundRow'>;
type CreditNoteRow = Schema<'CreditNoteRow'>;

const account = { heading: 'Account', width: '20%', wrap: true };
const accountCell = ({ accountId, accountName }: { accountId: string; accountName: string }) => (
  <AccountLink id={accountId} name={accountName} />
);
const amountColumn = (currency: string) => ({
  heading: `Amount (${currency})`,
  right: true,
  cell: ({ amountCents }: { amountCents: number }) => <Amount cents={amountCents} />,
});

const paymentColumns = (currency: string): readonly Column<PaymentRow>[] => [
  { heading: 'Received', sort: 'newest', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { ...account, cell: accountCell },
  amountColumn(currency),
  { heading: 'Source', cell: ({ source }) => PAYMENT_SOURCES[source] ?? source },
  { heading: 'Reference', wrap: true, cell: ({ reference }) => reference },
  {
    heading: 'Payment of',
    wrap: true,
    cell: ({ invoiceNumber, accountId, paymentId }) =>
      invoiceNumber === null ? <PaymentLink accountId={accountId} paymentId={paymentId} /> : <InvoiceLink number={invoiceNumber} />,
  },
  { heading: 'Reversed', wrap: true, cell: (payment) => <Reversed of={payment} /> },
];

const refundColumns = (currency: string): readonly Column<RefundRow>[] => [
  { heading: 'Refunded', sort: 'newest', cell: ({ refundedAt }) => <Time at={refundedAt} /> },
  { ...account, cell: accountCell },
  amountColumn(currency),
  { heading: 'Reference', wrap: true, cell: ({ reference }) => reference },
  { heading: 'Refund', wrap: true, cell: ({ refundId }) => <span className="mono">{refundId}</span> },
  { heading: 'Reversed', wrap: true, cell: (refund) => <Reversed of={refund} /> },
];

const creditNoteColumns = (currency: string): readonly Column<CreditNoteRow>[] => [
  { heading: 'Credit note', cell: ({ creditNoteNumber }) => <b>{creditNoteNumber}</b> },
  { ...account, cell: accountCell },
  amountColumn(currency),
  { heading: 'Invoice', cell: ({ invoiceNumber }) => <InvoiceLink number={invoiceNumber} /> },
  { heading: 'Reason', wrap: true, cell: ({ reason }) => reason },
  { heading: 'Issued', sort: 'newest', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Reversed', wrap: true, cell: (note) => <Reversed of={note} /> },
];

const payments: MoneyListProps<PaymentRow> = {
  noun: 'payment',
  path: 'payments',
  day: 'Received',
  hasSource: true,
  sums: [
    ['money', 'From the bank'],
    ['credit', 'From credit'],
  ],
  columns: paymentColumns,
  keyOf: ({ accountId, orderId, paymentId }) => `${orderId ?? accountId} ${paymentId}`,
  read: (query, cursor) => callApiPage(studio.GET('/payments', { params: { query: { ...(query as QueryOf<'listPayments'>), cursor } } })),
  sum: (query) => callApi(studio.GET('/payments/totals', { params: { query: query as QueryOf<'sumPayments'> } })),
};

const refunds: MoneyListProps<RefundRow> = {
  noun: 'refund',
  path: 'refunds',
  day: 'Refunded',
  sums: [['valid', 'Refunded']],
  columns: refundColumns,
  keyOf: ({ accountId, refundId }) => `${accountId} ${refundId}`,
  read: (query, cursor) => callApiPage(studio.GET('/refunds', { params: { query: { ...(query as QueryOf<'listAllRefunds'>), cursor } } })),
  sum: (query) => callApi(studio.GET('/refunds/totals', { params: { query: query as QueryOf<'sumRefunds'> } })),
};

const creditNotes: MoneyListProps<CreditNoteRow> = {
  noun: 'credit note',
  path: 'credit-notes',
  day: 'Issued',
  sums: [['valid', 'Credited']],
  columns: creditNoteColumns,
  keyOf: ({ id }) => id,
  read: (query, cursor) =>
    callApiPage(studio.GET('/credit-notes', { params: { query: { ...(query as QueryOf<'listCreditNotes'>), cursor } } })),
  sum: (query) => callApi(studio.GET('/credit-notes/totals', { params: { query: query as QueryOf<'sumCreditNotes'> } })),
};

const TABS = [
  { name: 'payments', label: 'Payments', List: () => <MoneyList {...payments} /> },
  { name: 'refunds', label: 'Refunds', List: () => <MoneyList {...refunds} /> },
  { name: 'credit-notes', label: 'Credit notes', List: () => <MoneyList {...creditNotes} /> },
] as const;
