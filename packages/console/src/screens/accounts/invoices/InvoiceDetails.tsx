import { Anchor, Button, Group, Paper, Grid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { To } from '../../../shared/to';
import { ask, studio } from '../../../api/studio';
import type { Of } from '../../../api/types';
import { Money } from '../../../shared/money';
import { UntoldLine } from '../../../shared/settings';
import { Status } from '../../../shared/status';
import { Refused, Waiting } from '../../../shared/told';
import { When } from '../../../shared/when';
import { useAddress } from '../../../shared/address';
import type { Account } from '../draft';
import { Facts } from '../Facts';
import { OrderLink } from '../../../shared/orders';
import { CreditNote } from './CreditNote';
import { Due } from './Due';
import { NotesOf, PaymentsOf } from './InvoiceMoney';

type Whole = Of<'WholeInvoice'>;

/** One invoice by its number: what it bills, what was paid and credited, and its documents. */
export function InvoiceDetails({ number, account }: { number: string; account: Account }) {
  const [, change] = useAddress();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invoice', number],
    queryFn: () => ask(studio.GET('/invoices/{id}', { params: { path: { id: number } } })),
  });
  return (
    <Stack gap="sm">
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => change({ invoice: undefined }, 'goes')}>
        All invoices of {account.name}
      </Anchor>
      {isPending && <Waiting what="Reading the invoice" />}
      <Refused error={error} retry={() => void refetch()} />
      {data !== undefined && <Shown invoice={data} account={account} />}
    </Stack>
  );
}

function Shown({ invoice, account }: { invoice: Whole; account: Account }) {
  const { invoiceNumber, environment, dueCents } = invoice;
  return (
    <>
      <Group gap="sm">
        <Title order={2} size="h3">
          Invoice {invoiceNumber}
        </Title>
        <Status of={invoice.state} />
        {environment === 'test' && <Text size="sm">of a test order: nothing is to be paid</Text>}
      </Group>
      {invoice.accountId !== account.id && <Text>It is of another account: {invoice.accountName}.</Text>}
      <Group gap="sm">
        <Button component="a" href={`/studio/v1/invoices/${invoiceNumber}.pdf`} target="_blank" rel="noopener" size="xs" variant="default">
          PDF
        </Button>
        <CreditNote invoice={invoice} />
        {dueCents > 0 && (
          <To to="/accounts/$account" params={{ account: invoice.accountId }} search={{ tab: 'payments' }} size="sm">
            Take a payment
          </To>
        )}
      </Group>
      <UntoldLine />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Figures invoice={invoice} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="sm">
            <PaymentsOf invoice={invoice} />
            <NotesOf invoice={invoice} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Figures({ invoice }: { invoice: Whole }) {
  const money = (cents: number) => <Money cents={cents} currency={invoice.currency} />;
  // What was paid before it was credited is the account's; what is void keeps what was paid of it.
  const overpaidCents = invoice.state === 'void' ? 0 : invoice.paidCents + invoice.creditedCents - invoice.amountCents;
  return (
    <Paper withBorder p="md">
      <Facts
        facts={[
          ['Amount', money(invoice.amountCents)],
          ['GST in it', money(invoice.gstCents)],
          ['Paid', money(invoice.paidCents)],
          ['Credited', money(invoice.creditedCents)],
          ...(overpaidCents > 0 ? [['Went to the account’s credit', money(overpaidCents)] as const] : []),
          ['To pay', <b key="due">{money(invoice.dueCents)}</b>],
          ['Issued', <When key="issued" at={invoice.issuedAt} />],
          ['Due', <Due key="day" of={invoice} />],
          ...(invoice.voidedAt === null ? [] : [['Void since', <When key="void" at={invoice.voidedAt} />] as const]),
          ['Order', <OrderLink key="order" number={invoice.orderNumber} />],
        ]}
      />
    </Paper>
  );
}
