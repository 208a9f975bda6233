import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../api/reads';
import { callApiPage, studio } from '../api/studio';

interface AccountSelectProps {
  value: string | undefined;
  set: (id: string | undefined) => void;
  size?: 'xs' | 'sm';
}

/** Finds accounts by name or email address. */
export function AccountSelect({ value, set, size = 'xs' }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const chosen = useQuery(accountQuery(value)).data;
  // The name of the selected account is not a search.
  const q = search === '' || search === chosen?.name ? undefined : search;
  const found = useQuery({
    queryKey: ['accounts', 'choice', q],
    queryFn: () => callApiPage(studio.GET('/accounts', { params: { query: { limit: 20, ...(q && { q }) } } })),
  });
  const choices = [...(chosen === undefined ? [] : [chosen]), ...(found.data?.rows ?? []).filter(({ id }) => id !== chosen?.id)];
  return (
    <Select
      size={size}
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
      nothingFoundMessage={found.isPending ? 'Loading …' : 'No results'}
    />
  );
}
