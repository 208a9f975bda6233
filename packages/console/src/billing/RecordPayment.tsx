import { Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isFound } from '../api/refusal';
import { callApi, callApiPage, type Environment, type Page, type Schema, studio } from '../api/studio';
import { useSession } from '../session/session';
import { Action, type ActionHandle, useActionForm } from '../shared/action';
import { formatAmount, formatMoney, parseCents } from '../shared/amount';
import { AmountInput, DayInput } from '../shared/inputs';
import { DuplicateWarning, recentSince, useDuplicateCheck } from '../shared/duplicate-check';
import { ErrorAlert, Loading } from '../shared/feedback';
import { isPastDue, noonOfDay, todayIn } from '../shared/local-time';
import { CLIENT_NOT_NOTIFIED, plural, RECORD_PAYMENT } from '../shared/words';
import { Day } from '../shared/time';
import {
  allocate,
  type Allocation,
  changeAmount,
  changeSelection,
  type OpenInvoice,
  type Selection,
  selectInvoice,
  sumOf,
} from './allocation';

const MAX_PAGES = 10;
const PAGE_SIZE = 100;

/** The unpaid invoices of an account, oldest first: the first thousand of each state. `first` is at the top, even if it is not among them. */
function useOpenInvoices(accountId: string, environment: Environment, first: OpenInvoice | undefined, enabled: boolean) {
  return useQuery({
    queryKey: ['invoices', 'open', accountId, environment],
    queryFn: async (): Promise<OpenInvoice[]> => {
      const found = await Promise.all(
        (['open', 'part_paid'] as const).map((state) =>
          readAll((cursor) => {
            const query = { accountId, environment, state, sort: 'oldest' as const, limit: PAGE_SIZE, cursor };
            return callApiPage(studio.GET('/invoices', { params: { query } }));
          }),
        ),
      );
      return found
        .flat()
        .filter(({ dueCents }) => dueCents > 0)
        .toSorted((a, b) => a.issuedAt.localeCompare(b.issuedAt));
    },
    select: (open) => (first ? [first, ...open.filter(({ invoiceNumber }) => invoiceNumber !== first.invoiceNumber)] : open),
    ...(first && { placeholderData: [] }),
    enabled,
  });
}

/** The rows of all pages, at most MAX_PAGES. */
async function readAll<Row>(read: (cursor?: string) => Promise<Page<Row[]>>, cursor?: string, page = 1): Promise<Row[]> {
  const { rows, nextCursor } = await read(cursor);
  return nextCursor === null || page === MAX_PAGES ? rows : [...rows, ...(await readAll(read, nextCursor, page + 1))];
}

interface RecordPaymentProps {
  /** An invoice or order has these fields. */
  payer: Pick<Schema<'InvoiceRow'>, 'accountId' | 'accountName' | 'currency' | 'environment'>;
  /** Selected when the dialog opens, with its amount due. */
  invoice?: OpenInvoice;
  /** Consequences of a payment for the invoice's order. */
  warnings?: readonly string[];
  ref?: React.Ref<ActionHandle> | undefined;
  /** Pays with credit of the account instead of received money. */
  credit?: Pick<Schema<'Account'>['live'], 'creditCents' | 'outstandingCents'>;
}

/** Records money from the bank, or applies credit. Pays the selected invoices, or the oldest. */
export function RecordPayment({ payer, invoice, warnings = [], credit, ref }: RecordPaymentProps) {
  const { accountId: id, accountName: name, currency, environment } = payer;
  const { timeZone } = useSession();
  const today = todayIn(timeZone);
  const isCredit = credit !== undefined;
  const maxCents = credit?.creditCents ?? Infinity;
  const amountProblem = (cents: number) =>
    cents > maxCents
      ? `Only ${formatMoney(maxCents, currency)} of credit is available`
      : cents <= 0 && 'Enter an amount or select invoices';
  const form = useActionForm(
    () => ({
      amount: credit ? formatAmount(Math.min(credit.creditCents, credit.outstandingCents)) : invoice ? formatAmount(invoice.dueCents) : '',
      receivedOn: today,
      reference: '',
      selected: (invoice ? { [invoice.invoiceNumber]: formatAmount(invoice.dueCents) } : {}) as Selection,
      isKept: false,
    }),
    ({ amount, receivedOn }) => ({
      amount: amountProblem(parseCents(amount, currency) ?? 0),
      receivedOn: receivedOn === '' && 'Enter the day of receipt',
    }),
  );
  const { receivedOn, selected, isKept } = form.values;
  const amountCents = parseCents(form.values.amount, currency) ?? 0;
  const reference = form.values.reference.trim();
  const line = { accountId: id, environment, day: receivedOn, amountCents, reference };
  const duplicate = useDuplicateCheck({
    noun: 'statement',
    values: amountCents > 0 && receivedOn !== '' ? JSON.stringify(line) : null,
    find: async () => [...(isCredit ? [] : await findSameLine(line)), ...(await findRecent(line, isCredit ? 'credit' : 'money'))],
  });
  const invoices = useOpenInvoices(id, environment, invoice, duplicate.isOpen);
  const allocation: Allocation = isKept
    ? { shares: {}, creditCents: amountCents }
    : allocate(invoices.data ?? [], amountCents, selected, currency, isCredit);
  const problem =
    form.action.notReadyReason ??
    allocation.problem ??
    (invoices.isSuccess ? undefined : 'Loading the open invoices') ??
    (duplicate.isReady ? undefined : 'Check whether the payment is recorded already');
  const run = (paymentId: string) => {
    duplicate.setConfirmed(true);
    // For today, the API sets the current time, because noon may be in the future.
    const receivedAt = receivedOn === today ? null : noonOfDay(receivedOn, timeZone);
    // Depends on the inputs only, so a repeat after a lost response sends the same.
    const shares = Object.entries(selected).map(([invoiceId, typed]) => ({ invoiceId, amountCents: parseCents(typed, currency) ?? 0 }));
    const body = { paymentId, environment, source: isCredit ? ('credit' as const) : ('money' as const), amountCents, receivedAt };
    const named = isKept ? { invoices: [] } : shares.length > 0 ? { invoices: shares } : {};
    return callApi(
      studio.POST('/accounts/{id}/payments', { params: { path: { id } }, body: { ...body, reference: reference || null, ...named } }),
    );
  };
  const label = isCredit ? 'Apply credit' : RECORD_PAYMENT;
  return (
    <Action
      ref={ref}
      label={label}
      {...(invoice && { target: `for ${invoice.invoiceNumber}` })}
      title={isCredit ? `Apply credit of ${name}` : `Record payment from ${name}`}
      consequences={[
        isCredit
          ? `${formatMoney(credit.creditCents, currency)} of credit is available. No money moves. ${CLIENT_NOT_NOTIFIED}`
          : `${CLIENT_NOT_NOTIFIED} You can reverse the payment later.`,
        ...warnings,
      ]}
      subject={`${id} ${environment}`}
      run={run}
      find={(paymentId) => isFound(callApi(studio.GET('/accounts/{id}/payments/{paymentId}', { params: { path: { id, paymentId } } })))}
      toast={(paid) =>
        `${formatMoney(paid.amountCents, currency)} recorded: ${summaryOf(paid.invoiceCount, paid.unappliedCents, currency)}`
      }
      {...form.action}
      ready={problem === undefined}
      notReadyReason={problem}
      onOpen={duplicate.reset}
      button={invoice ? { size: 'compact-sm' } : isCredit ? {} : { variant: 'filled' }}
    >
      <Group grow align="start">
        <AmountInput
          label="Amount"
          currency={currency}
          maxCents={maxCents}
          withAsterisk
          data-autofocus
          value={form.values.amount}
          onChange={({ currentTarget }) =>
            form.setValues(changeAmount({ ...form.values, currency }, currentTarget.value, invoices.data ?? []))
          }
        />
        {!isCredit && <DayInput label="Received" withAsterisk clearable={false} daysAhead={0} {...form.field('receivedOn')} />}
      </Group>
      <TextInput
        label="Reference"
        description="The text of the bank line. It is shown on the statement."
        maxLength={500}
        {...form.field('reference')}
      />
      <DuplicateWarning title="Possible duplicate" label="This is another payment" check={duplicate}>
        {duplicate.duplicates.join(' ')}
      </DuplicateWarning>
      {!isCredit && (
        <Checkbox label="Pay no invoices: add all of it to the account’s credit" {...form.getInputProps('isKept', { type: 'checkbox' })} />
      )}
      {invoices.isLoading && <Loading what="Loading open invoices" />}
      <ErrorAlert error={invoices.error} retry={() => void invoices.refetch()} />
      {invoices.isSuccess && !isKept && (
        <OpenInvoices
          open={invoices.data}
          selected={selected}
          shares={allocation.shares}
          currency={currency}
          select={(open, isSelected) => form.setValues(selectInvoice({ ...form.values, currency }, open, isSelected))}
          change={(next) => form.setValues(changeSelection({ ...form.values, currency }, next))}
        />
      )}
      {amountCents > 0 && allocation.problem === undefined && (
        <Text size="sm" fw={600} role="status">
          {formatMoney(amountCents, currency)} {summaryOf(Object.keys(allocation.shares).length, allocation.creditCents, currency)}
        </Text>
      )}
    </Action>
  );
}

interface BankLine {
  accountId: string;
  environment: Environment;
  /** The day of receipt at the studio, `2026-11-22`. */
  day: string;
  amountCents: number;
  reference: string;
}

interface PaymentsQuery {
  accountId: string;
  environment: Environment;
  from?: string;
  to?: string;
  recordedFrom?: string;
}

const readPayments = (filters: PaymentsQuery): Promise<Schema<'PaymentRow'>[]> =>
  readAll((cursor) => callApiPage(studio.GET('/payments', { params: { query: { ...filters, limit: PAGE_SIZE, cursor } } })));

/** Payments of the account with this amount that were recorded within the last ten minutes, whenever they were received. */
async function findRecent({ accountId, environment, amountCents }: BankLine, source: 'money' | 'credit'): Promise<string[]> {
  const rows = await readPayments({ accountId, environment, recordedFrom: recentSince() });
  const isSame = (payment: Schema<'PaymentRow'>): boolean =>
    payment.source === source && payment.reversedAt === null && payment.amountCents === amountCents;
  return rows.some(isSame) ? ['A payment of this amount was recorded within the last ten minutes.'] : [];
}

/** The orders on which a payment of this bank line is recorded, or the account. */
async function findSameLine({ accountId, environment, day, amountCents, reference }: BankLine): Promise<string[]> {
  const rows = await readPayments({ accountId, environment, from: day, to: day });
  const isSame = (payment: Schema<'PaymentRow'>): boolean =>
    payment.source === 'money' &&
    payment.reversedAt === null &&
    payment.amountCents === amountCents &&
    (payment.reference ?? '').trim().toLowerCase() === reference.toLowerCase();
  const places = [...new Set(rows.filter(isSame).map(({ orderNumber }) => orderNumber ?? 'the account'))];
  return places.length === 0 ? [] : [`A payment with the same day, amount and reference is recorded on ${places.join(', ')}.`];
}

function summaryOf(invoiceCount: number, creditCents: number, currency: string): string {
  const pays = invoiceCount > 0 && `pays ${plural(invoiceCount, 'invoice')}`;
  const credit = creditCents > 0 && `${invoiceCount > 0 ? `, ${formatMoney(creditCents, currency)} ` : ''}becomes credit`;
  return [pays, credit].filter((each) => each !== false).join('');
}

interface OpenInvoicesProps {
  open: readonly OpenInvoice[];
  selected: Selection;
  /** The cents that each invoice gets. */
  shares: Readonly<Record<string, number>>;
  currency: string;
  select: (invoice: OpenInvoice, isSelected: boolean) => void;
  change: (selected: Selection) => void;
}

function OpenInvoices({ open, selected, shares, currency, select, change }: OpenInvoicesProps) {
  const { timeZone } = useSession();
  const count = Object.keys(selected).length;
  if (open.length === 0) return <Text size="sm">No open invoices. The payment becomes credit of the account.</Text>;
  return (
    <Stack component="fieldset" gap={4} bd={0} p={0} m={0} miw={0}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {count === 0
          ? 'Open invoices. If you select none, the oldest are paid first.'
          : `${count} selected: ${formatMoney(sumOf(selected, currency), currency)}`}
      </Text>
      <ScrollArea.Autosize mah={260}>
        <Stack gap={6}>
          {open.map((invoice) => {
            const { invoiceNumber: number, dueCents, dueAt } = invoice;
            const isOverdue = isPastDue(dueAt, timeZone);
            return (
              <Group key={number} justify="space-between" gap="xs" pr="sm" mih={30} wrap="nowrap">
                <Checkbox
                  label={
                    <>
                      <b>{number}</b> · {formatMoney(dueCents, currency)}{' '}
                      <Text span inherit {...(isOverdue && { c: 'red' })}>
                        {isOverdue ? 'overdue since' : 'due'} <Day day={todayIn(timeZone, new Date(dueAt))} />
                      </Text>
                    </>
                  }
                  checked={number in selected}
                  onChange={(event) => select(invoice, event.currentTarget.checked)}
                />
                {number in selected ? (
                  <AmountInput
                    currency={currency}
                    aria-label={`Payment for ${number}`}
                    size="xs"
                    w={130}
                    miw={110}
                    maxCents={dueCents}
                    value={selected[number] ?? ''}
                    onChange={(event) => change({ ...selected, [number]: event.currentTarget.value })}
                  />
                ) : (
                  number in shares && <Text size="sm">pays {formatMoney(shares[number] ?? 0, currency)}</Text>
                )}
              </Group>
            );
          })}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}
