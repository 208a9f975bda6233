import { Radio, Stack, TextInput } from '@mantine/core';
import { bpsOf, daysOf, limitOf, type CreditKind, type Draft } from './draft';

interface AccountFormProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  currency: string;
}

/** What one types of an account, new or old; what will not do says so beside it. */
export function AccountForm({ draft, change, currency }: AccountFormProps) {
  const typed = (field: 'name' | 'email' | 'discount' | 'limit' | 'terms') => ({
    value: draft[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value }),
  });
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
      <Radio.Group label="Credit" value={draft.credit} onChange={(value) => change({ credit: value as CreditKind })}>
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
          description="What may be unpaid at one time. An order beyond it is refused."
          error={draft.limit !== '' && limitOf(draft) === undefined && 'An amount such as 5000 or 1,250.50'}
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
