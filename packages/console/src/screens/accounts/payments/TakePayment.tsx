import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import type { Environment } from '../../../api/types';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { centsOf, formatMoney } from '../../../shared/amount';
import { Refused, Waiting } from '../../../shared/told';
import { todayIn } from '../../../shared/zoned';
import { noonOf } from '../days';
import type { Account } from '../draft';
import { useOpenInvoices } from './open-invoices';
import { PlanShown } from './PlanShown';
import { ShareForm } from './ShareForm';
import { keptWhole, planOf, type Ticked } from './shares';

interface TakePaymentProps {
  account: Account;
  environment: Environment;
  currency: string;
  /** Of money that came, or of credit that the account has. */
  source: 'money' | 'credit';
}

/** Records a payment over any number of invoices, and says before it is sent what pays what and what is left. */
export function TakePayment({ account, environment, currency, source }: TakePaymentProps) {
  const { timeZone } = useSession();
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [day, setDay] = useState('');
  const [reference, setReference] = useState('');
  const [ticked, setTicked] = useState<Ticked>({});
  const [isKept, setKept] = useState(false);
  const invoices = useOpenInvoices(account.id, environment, opened);
  const isCredit = source === 'credit';
  const { creditCents } = account[environment];
  const amountCents = centsOf(typed) ?? 0;
  const isTooMuch = isCredit && amountCents > creditCents;
  const plan = isKept ? keptWhole(amountCents) : planOf(invoices.data ?? [], amountCents, ticked, isCredit);
  const open = (): void => {
    const owedCents = account[environment].outstandingCents;
    setOpened(true);
    setTyped(isCredit ? formatMoney(Math.min(creditCents, owedCents), '').trim() : '');
    setDay(todayIn(timeZone));
    setReference('');
    setTicked({});
    setKept(false);
  };
  const run = (paymentId: string) => {
    // Of today the API takes the moment itself, which cannot be later than now.
    const receivedAt = day === todayIn(timeZone) ? null : noonOf(day, timeZone);
    const named = plan.shares.map((share) => ({ invoiceId: share.invoiceNumber, amountCents: share.amountCents }));
    const some = isKept || Object.keys(ticked).length > 0 ? { invoices: named } : {};
    const body = { paymentId, environment, source, amountCents, receivedAt, reference: reference.trim() || null, ...some };
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
      ready={amountCents > 0 && !isTooMuch && day !== '' && plan.problem === undefined && invoices.isSuccess}
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
          (typed !== '' && amountCents <= 0 && 'An amount such as 140.65')
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {!isCredit && <TextInput type="date" label="Received" required value={day} onChange={(event) => setDay(event.currentTarget.value)} />}
      <TextInput
        label="Reference"
        description="Such as the words of the bank line; stands on the statement. May be left out."
        maxLength={500}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      {invoices.isLoading && <Waiting what="Reading the open invoices" />}
      <Refused error={invoices.error} retry={() => void invoices.refetch()} />
      {!isCredit && (
        <Checkbox
          label="Pay no invoice with it: keep all of it as credit"
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
      )}
      {invoices.isSuccess && !isKept && (
        <ShareForm open={invoices.data} amountCents={amountCents} ticked={ticked} change={setTicked} currency={currency} />
      )}
      {invoices.isSuccess && amountCents > 0 && <PlanShown plan={plan} currency={currency} />}
    </Action>
  );
}
