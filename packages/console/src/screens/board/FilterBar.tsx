import { Button, Collapse, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMay } from '../../session/session';
import { AccountChoice } from '../../shared/account-choice';
import { ATTENTION_CODES, isAboutMoney } from '../../shared/attention';
import { wordsOf } from '../../shared/status';
import { countOf, type Change, type Filters } from './filters';

const BESIDE: readonly (keyof Filters)[] = ['status', 'late', 'q'];
const DAYS: readonly { name: 'from' | 'to' | 'dueFrom' | 'dueBefore'; label: string }[] = [
  { name: 'from', label: 'Placed from' },
  { name: 'to', label: 'Placed up to' },
  { name: 'dueFrom', label: 'Due from' },
  { name: 'dueBefore', label: 'Due before' },
];

/** What else narrows the board; folded until somebody wants it or has chosen something of it. */
export function FilterBar({ filters, change }: { filters: Filters; change: Change }) {
  const mayOffice = useMay('office');
  const codes = ATTENTION_CODES.filter((code) => mayOffice || !isAboutMoney(code));
  const chosen = countOf(filters, ...BESIDE);
  const [opened, { toggle }] = useDisclosure(chosen > 0);
  return (
    <div>
      <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={opened}>
        {opened ? 'Fewer filters' : 'More filters'}
      </Button>
      <Collapse expanded={opened}>
        <Group gap="sm" align="flex-end" pt="xs">
          {mayOffice && <AccountChoice value={filters.accountId} set={(accountId) => change({ accountId })} />}
          <NativeSelect
            size="xs"
            label="Needs a person because of"
            value={filters.attention ?? ''}
            onChange={(event) => change({ attention: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'Whether or not' },
              ...(mayOffice ? [{ value: 'any', label: 'Anything' }] : []),
              { value: 'work', label: mayOffice ? 'Anything but money' : 'Anything' },
              ...codes.map((code) => ({ value: code, label: wordsOf(code) })),
            ]}
          />
          {DAYS.map(({ name, label }) => (
            <TextInput
              key={name}
              type="date"
              size="xs"
              label={label}
              value={filters[name] ?? ''}
              onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
            />
          ))}
        </Group>
      </Collapse>
    </div>
  );
}
