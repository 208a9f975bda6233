import { Alert, Checkbox, Group, List, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, page, studio } from '../../api/studio';
import type { Environment } from '../../api/types';
import { useSession } from '../../session/session';
import { Action } from '../../shared/action';
import { RepeatedLine, useRepeatedLine } from '../../shared/bank-line';
import { useFields } from '../../shared/fields';
import { centsOf, formatMoney } from '../../shared/amount';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { Day } from '../../shared/when';
import { noonOf, todayIn } from '../../shared/zoned';
import type { Account } from './draft';
import { keptWhole, type Open, type Plan, planOf, type Ticked } from './shares';

const PAGES = 10;
const PAGE_SIZE = 100;

/** An account's invoices of which something is to be paid, oldest first: the first thousand of each state. */
function useOpenInvoices(accountId: string, environment: Environment, enabled: boolean) {
  return useQuery({
    queryKey: ['invoices', 'open', accountId, environment],
    queryFn: async () => {
      const found = await Promise.all((['open', 'part_paid'] as const).map((state) => all({ accountId, environment, state })));
      // A void one is open no more; one of nothing has nothing to pay.
      return found
        .flat()
        .filter(({ dueCents }) => dueCents > 0)
        .toSorted((a, b) => a.issuedAt.localeCompare(b.issuedAt));
    },
    enabled,
  });
}

interface Asked {
  accountId: string;
  environment: Environment;
  state: 'open' | 'part_paid';
}

async function all(asked: Asked, cursor?: string, pages = 1): Promise<Open[]> {
  const query = { ...asked, sort: 'oldest' as const, limit: PAGE_SIZE, cursor };
  const { rows, nextCursor } = await page(studio.GET('/invoices', { params: { query } }));
  return nextCursor === null || pages === PAGES ? rows : [...rows, ...(await all(asked, nextCursor, pages + 1))];
}

interface TakePaymentProps {
  account: Account;
  environment: Environment;
  currency: string;
  /** Of money that came, or of credit that the account has. */
  source: 'money' | 'credit';
}

export function TakePayment({ account, environment, currency, source }: TakePaymentProps) {
  const { timeZone } = useSession();
  const [opened, setOpened] = useState(false);
  const invoices = useOpenInvoices(account.id, environment, opened);
  const isCredit = source === 'credit';
  const { creditCents, outstandingCents } = account[environment];
  const { fields, set, checkbox, typed, clear } = useFields(() => ({
    amount: isCredit ? formatMoney(Math.min(creditCents, outstandingCents), '').trim() : '',
    day: todayIn(timeZone),
    reference: '',
    ticked: {} as Ticked,
    isKept: false,
  }));
  const { day, ticked, isKept } = fields;
  const amountCents = centsOf(fields.amount, currency) ?? 0;
  const isTooMuch = isCredit && amountCents > creditCents;
  const plan = isKept ? keptWhole(amountCents) : planOf(invoices.data ?? [], amountCents, ticked, isCredit, currency);
  const reference = fields.reference.trim();
  const doubt = useRepeatedLine(
    !isCredit && amountCents > 0 && day !== '' ? { accountId: account.id, environment, day, amountCents, reference } : null,
  );
  const open = (): void => {
    setOpened(true);
    clear();
    doubt.reset();
  };
  const run = (paymentId: string) => {
    doubt.setSure(true);
    // Of today the API takes the moment itself, which cannot be later than now.
    const receivedAt = day === todayIn(timeZone) ? null : noonOf(day, timeZone);
    const named = plan.shares.map((share) => ({ invoiceId: share.invoiceNumber, amountCents: share.amountCents }));
    const some = isKept || Object.keys(ticked).length > 0 ? { invoices: named } : {};
    const body = { paymentId, environment, source, amountCents, receivedAt, reference: reference || null, ...some };
    return ask(studio.POST('/accounts/{id}/payments', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label={isCredit ? 'Use credit' : 'Take a payment'}
      title={isCredit ? `Use credit of ${account.name}` : `Take a payment of ${account.name}`}
      says={[
        isCredit
          ? `It has ${formatMoney(creditCents, currency)} in credit, and pays invoices with it. No money moves.`
          : 'Records money that came to the studio’s bank account. One line of the bank statement is one payment.',
        'It is recorded as a whole or not at all, and can be reversed as a whole. The client is not told.',
      ]}
      run={run}
      done={(paid) =>
        `${formatMoney(paid.amountCents, currency)} recorded over ${paid.invoiceCount} ${paid.invoiceCount === 1 ? 'invoice' : 'invoices'}; ${formatMoney(paid.unappliedCents, currency)} is left as credit`
      }
      ready={amountCents > 0 && !isTooMuch && day !== '' && plan.problem === undefined && invoices.isSuccess && doubt.isReady}
      onOpen={open}
      button={isCredit ? {} : { variant: 'filled' }}
    >
      <TextInput
        label={`Amount, in ${currency}`}
        inputMode="decimal"
        required
        data-autofocus
        error={
          (isTooMuch && `It has ${formatMoney(creditCents, currency)} in credit`) ||
          (fields.amount !== '' && amountCents <= 0 && 'An amount such as 140.65')
        }
        {...typed('amount')}
      />
      {!isCredit && <TextInput type="date" label="Received" required {...typed('day')} />}
      <TextInput
        label="Reference"
        description="Such as the words of the bank line; stands on the statement. May be left out."
        maxLength={500}
        {...typed('reference')}
      />
      <RepeatedLine doubt={doubt} />
      {invoices.isLoading && <Waiting what="Reading the open invoices" />}
      <Refused error={invoices.error} retry={() => void invoices.refetch()} />
      {!isCredit && <Checkbox label="Pay no invoice with it: keep all of it as credit" {...checkbox('isKept')} />}
      {invoices.isSuccess && !isKept && (
        <ShareForm
          open={invoices.data}
          amountCents={amountCents}
          ticked={ticked}
          change={(next) => set('ticked', next)}
          currency={currency}
        />
      )}
      {invoices.isSuccess && amountCents > 0 && <PlanShown plan={plan} currency={currency} />}
    </Action>
  );
}

interface ShareFormProps {
  open: readonly Open[];
  amountCents: number;
  ticked: Ticked;
  change: (ticked: Ticked) => void;
  currency: string;
}

const MANY = 6;

function ShareForm({ open, amountCents, ticked, change, currency }: ShareFormProps) {
  if (open.length === 0) return <Nothing>No invoice is open: all of it becomes credit of the account.</Nothing>;
  const tick = (invoice: Open, on: boolean): void => {
    const { [invoice.invoiceNumber]: _before, ...others } = ticked;
    if (!on) return change(others);
    const left = amountCents - Object.values(others).reduce((sum, typed) => sum + (centsOf(typed, currency) ?? 0), 0);
    const share = left > 0 ? Math.min(left, invoice.dueCents) : invoice.dueCents;
    change({ ...others, [invoice.invoiceNumber]: formatMoney(share, '').trim() });
  };
  const rows = (
    <Stack gap={6}>
      {open.map((invoice) => (
        <One key={invoice.invoiceNumber} invoice={invoice} ticked={ticked} tick={tick} change={change} currency={currency} />
      ))}
    </Stack>
  );
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        Invoices that it pays. Tick none, and the oldest are paid first.
      </Text>
      {open.length > MANY ? <ScrollArea.Autosize mah={260}>{rows}</ScrollArea.Autosize> : rows}
    </fieldset>
  );
}

interface OneProps extends Pick<ShareFormProps, 'ticked' | 'change' | 'currency'> {
  invoice: Open;
  tick: (invoice: Open, on: boolean) => void;
}

function One({ invoice, ticked, tick, change, currency }: OneProps) {
  const { invoiceNumber: number, dueCents, dueDate, overdue } = invoice;
  const typed = ticked[number];
  const cents = centsOf(typed ?? '', currency);
  return (
    <Group gap="sm" justify="space-between" align="start">
      <Checkbox
        label={
          <>
            <b>{number}</b> {formatMoney(dueCents, currency)} open, due <Day day={dueDate} />
            {overdue && <b> overdue</b>}
          </>
        }
        checked={typed !== undefined}
        onChange={(event) => tick(invoice, event.currentTarget.checked)}
      />
      {typed !== undefined && (
        <TextInput
          aria-label={`Amount for ${number}, in ${currency}`}
          size="xs"
          w={120}
          inputMode="decimal"
          error={(cents === null || cents <= 0 || cents > dueCents) && 'Up to what is open'}
          value={typed}
          onChange={(event) => change({ ...ticked, [number]: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}

const SHOWN = 8;

function PlanShown({ plan: { shares, restCents, problem }, currency }: { plan: Plan; currency: string }) {
  if (problem !== undefined)
    return (
      <Alert color="orange" role="status">
        {problem}
      </Alert>
    );
  const more = shares.length - SHOWN;
  return (
    <Alert color="gray" role="status" title="What becomes of it">
      <List size="sm">
        {shares.slice(0, SHOWN).map(({ invoiceNumber, amountCents, dueCents }) => (
          <List.Item key={invoiceNumber}>
            {invoiceNumber}: {formatMoney(amountCents, currency)}
            {amountCents === dueCents ? ', which pays it' : ` of ${formatMoney(dueCents, currency)}, the rest stays open`}
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {more} more</List.Item>}
      </List>
      <Text size="sm" fw={600}>
        {restCents === 0 ? 'Nothing is left over.' : `${formatMoney(restCents, currency)} is left, and becomes credit of the account.`}
      </Text>
    </Alert>
  );
}
