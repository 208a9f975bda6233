import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../api/reads';
import { page, studio } from '../api/studio';

/** Finds accounts by name or e-mail address. */
export function AccountSelect({ value, set }: { value: string | undefined; set: (id: string | undefined) => void }) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const chosen = useQuery(accountQuery(value)).data;
  // The chosen account's name in the field is no search: list all accounts.
  const q = search === '' || search === chosen?.name ? undefined : search;
  const found = useQuery({
    queryKey: ['accounts', 'choice', q],
    queryFn: () => page(studio.GET('/accounts', { params: { query: { limit: 20, ...(q && { q }) } } })),
  });
  const choices = [...(chosen === undefined ? [] : [chosen]), ...(found.data?.rows ?? []).filter(({ id }) => id !== chosen?.id)];
  return (
    <Select
      size="xs"
      label="Account"
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any account' }}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      value={choices.find(({ id }) => id === value)?.id ?? null}
      onChange={(id) => set(id ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={found.isPending ? 'Looking …' : 'No account has this name'}
    />
  );
}
