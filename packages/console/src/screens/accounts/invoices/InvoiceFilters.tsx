import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { wordsOf } from '../../../shared/status';
import { useAddress } from '../../../shared/address';

const STATES = ['open', 'part_paid', 'paid', 'credited', 'void'];
const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'dueDate', label: 'Soonest due: the unpaid' },
  { value: 'outstanding', label: 'Most to pay: the unpaid' },
];

/** Which invoices of the account, and in which order. */
export function InvoiceFilters() {
  const [asked, change] = useAddress();
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={asked[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <Group align="end" gap="sm">
      <NativeSelect
        label="State"
        value={asked.state ?? ''}
        onChange={(event) => change({ state: event.currentTarget.value || undefined })}
        data={[{ value: '', label: 'Any' }, ...STATES.map((value) => ({ value, label: wordsOf(value) }))]}
      />
      {day('from', 'Issued from')}
      {day('to', 'To')}
      <NativeSelect
        label="Sort by"
        value={asked.sort ?? ''}
        onChange={(event) => change({ sort: event.currentTarget.value || undefined })}
        data={SORTS}
      />
      <Checkbox
        label="Overdue alone"
        mb={8}
        checked={asked.overdue === 'true'}
        onChange={(event) => change({ overdue: event.currentTarget.checked ? 'true' : undefined })}
      />
    </Group>
  );
}
