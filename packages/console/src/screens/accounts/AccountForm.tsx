import { Group, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { callApi, studio } from '../../api/studio';
import { Action, type ActionHandle, useActionForm } from '../../shared/action';
import { AmountInput } from '../../shared/inputs';
import { LimitedNumberInput, WHOLE } from '../../shared/number-input';
import { CLIENT_NOT_NOTIFIED } from '../../shared/words';
import { type Account, type AccountValues, NEW_ACCOUNT, problemsOf, READY_MAILS, type Terms, termsOf, valuesOf } from './account-form';

const useAccountForm = (initial: AccountValues, currency: string) =>
  useActionForm(
    () => initial,
    (values) => problemsOf(values, currency),
  );

function AccountFields({ form: { values, field }, currency }: { form: ReturnType<typeof useAccountForm>; currency: string }) {
  return (
    <>
      <TextInput label="Name" withAsterisk maxLength={200} data-autofocus {...field('name')} />
      <TextInput
        label="Email"
        type="email"
        withAsterisk
        maxLength={320}
        description="Shown on invoices and statements. Gets warnings about failing webhooks."
        {...field('email')}
      />
      <Group grow align="start">
        <LimitedNumberInput
          label="Trade discount (%)"
          withAsterisk
          min={0}
          max={100}
          decimalScale={2}
          hideControls
          {...field('discountPercent')}
        />
        <LimitedNumberInput label="Payment terms (days)" withAsterisk min={0} max={365} {...WHOLE} hideControls {...field('termsDays')} />
      </Group>
      <Radio.Group label="Credit" {...field('credit')}>
        <Group mt={4}>
          <Radio value="limited" label="Limited" />
          <Radio value="unlimited" label="Unlimited" />
          <Radio value="none" label="No credit" />
        </Group>
      </Radio.Group>
      {values.credit === 'limited' && (
        <AmountInput
          label="Credit limit"
          currency={currency}
          withAsterisk
          description="The highest unpaid amount, after credit. Orders above it are refused."
          {...field('limit')}
        />
      )}
      <NativeSelect
        label="When an order is ready to collect"
        description="White-labelled orders: the account instead of the customer."
        data={Object.entries(READY_MAILS).map(([value, label]) => ({ value, label }))}
        {...field('readyMail')}
      />
    </>
  );
}

const CURRENCY = 'AUD';

export function CreateAccount({ ref }: { ref?: React.Ref<ActionHandle> }) {
  const form = useAccountForm(NEW_ACCOUNT, CURRENCY);
  const navigate = useNavigate();
  const run = async (accountRequestId: string) => {
    const account = await callApi(studio.POST('/accounts', { body: { accountRequestId, ...termsOf(form.values, CURRENCY) } }));
    await navigate({ to: '/accounts/$account', params: { account: account.id } });
    return account;
  };
  return (
    <Action
      ref={ref}
      label="Create account"
      consequences={[`To order, the account needs an API key from an admin. ${CLIENT_NOT_NOTIFIED}`]}
      subject="new"
      run={run}
      toast={({ name }) => `${name} created`}
      {...form.action}
      button={{ variant: 'filled' }}
    >
      <AccountFields form={form} currency={CURRENCY} />
    </Action>
  );
}

export function EditAccount({ account }: { account: Account }) {
  const { id, name, currency } = account;
  const form = useAccountForm(valuesOf(account), currency);
  const initial = termsOf(form.getInitialValues(), currency);
  // Sends the changed fields only, so other people's changes stay.
  const changes = Object.entries(termsOf(form.values, currency)).filter(([field, value]) => value !== initial[field as keyof Terms]);
  return (
    <Action
      label="Edit details"
      confirm="Save"
      title={`Edit ${name}`}
      consequences={[`Applies to new prices and orders. ${CLIENT_NOT_NOTIFIED}`]}
      retry="safe"
      run={() => callApi(studio.PATCH('/accounts/{id}', { params: { path: { id } }, body: Object.fromEntries(changes) }))}
      toast={(changed) => `${changed.name} updated`}
      {...form.action}
      ready={form.action.ready && changes.length > 0}
      notReadyReason={form.action.notReadyReason ?? 'No changes'}
    >
      <AccountFields form={form} currency={currency} />
    </Action>
  );
}
