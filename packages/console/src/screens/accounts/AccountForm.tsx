import { List, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ask, studio } from '../../api/studio';
import { Action } from '../../shared/action';
import { useFields } from '../../shared/fields';
import {
  type Account,
  bpsOf,
  type Change,
  changesOf,
  type CreditKind,
  daysOf,
  type Draft,
  draftOf,
  EMPTY,
  fieldsOf,
  limitOf,
  termsInWords,
} from './draft';

interface AccountFormProps {
  form: ReturnType<typeof useFields<Draft>>;
  currency: string;
}

function AccountForm({ form: { fields: draft, set, typed }, currency }: AccountFormProps) {
  return (
    <Stack gap="sm">
      <TextInput label="Name" required maxLength={200} data-autofocus {...typed('name')} />
      <TextInput
        label="E-mail"
        type="email"
        required
        maxLength={320}
        description="Confirmations and warnings go there."
        {...typed('email')}
      />
      <TextInput
        label="Trade discount, in per cent"
        inputMode="decimal"
        required
        error={bpsOf(draft.discount) === null && 'From 0 to 100, with two decimals at most, such as 12.5'}
        {...typed('discount')}
      />
      <Radio.Group label="Credit" value={draft.credit} onChange={(value) => set('credit', value as CreditKind)}>
        <Stack gap={6} mt={4}>
          <Radio value="amount" label="Up to an amount" />
          <Radio value="without" label="Without limit" />
          <Radio value="none" label="None: orders are refused" />
        </Stack>
      </Radio.Group>
      {draft.credit === 'amount' && (
        <TextInput
          label={`Credit limit, in ${currency}`}
          inputMode="decimal"
          required
          description="What may be unpaid at one time, beside what was paid in advance. An order beyond it is refused."
          error={draft.limit !== '' && limitOf(draft, currency) === undefined && 'An amount such as 5000 or 1,250.50'}
          {...typed('limit')}
        />
      )}
      <TextInput
        label="Payment terms, in days"
        inputMode="numeric"
        required
        error={daysOf(draft.terms) === null && 'A whole number from 0 to 365'}
        {...typed('terms')}
      />
    </Stack>
  );
}

const CURRENCY = 'AUD';

export function OpenAccount() {
  const form = useFields(() => EMPTY);
  const navigate = useNavigate();
  const fields = fieldsOf(form.fields, CURRENCY);
  const run = async (accountRequestId: string) => {
    if (fields === null) throw new Error('Fill in what is missing.');
    const account = await ask(studio.POST('/accounts', { body: { accountRequestId, ...fields } }));
    await navigate({ to: '/accounts/$account', params: { account: account.id } });
    return account;
  };
  return (
    <Action
      label="Open an account"
      says={[
        'The client is not told. It can order as soon as it has a key, which an admin makes for it.',
        ...(fields === null ? [] : [termsInWords(fields, CURRENCY)]),
      ]}
      run={run}
      done={({ name }) => `${name} has an account`}
      ready={fields !== null}
      onOpen={form.clear}
      button={{ variant: 'filled' }}
    >
      <AccountForm form={form} currency={CURRENCY} />
    </Action>
  );
}

export function EditAccount({ account, currency }: { account: Account; currency: string }) {
  const form = useFields(() => draftOf(account));
  const fields = fieldsOf(form.fields, currency);
  const changes = fields === null ? [] : changesOf(account, fields, currency);
  const run = () => {
    const body = Object.fromEntries(changes.map(({ field }) => [field, fields?.[field]]));
    return ask(studio.PATCH('/accounts/{id}', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Change details"
      title={`Change ${account.name}`}
      says={[
        'It counts from their next price and order. Prices that were given and orders that were placed stay as they are. The client is not told.',
      ]}
      repeats="safely"
      run={run}
      done={({ name }) => `${name} is changed`}
      ready={changes.length > 0}
      onOpen={form.clear}
    >
      <AccountForm form={form} currency={currency} />
      <Changes changes={changes} />
    </Action>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {changes.length === 0 ? 'Nothing would change yet.' : 'What changes'}
      </Text>
      <List size="sm">
        {changes.map(({ field, name, before, after }) => (
          <List.Item key={field}>
            {name}: {before} → <b>{after}</b>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
