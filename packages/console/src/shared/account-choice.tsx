import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, page, studio } from '../api/studio';

/** Chooses an account by part of its name or e-mail address; its value is the account's id. */
export function AccountChoice({ value, set }: { value: string | undefined; set: (id: string | undefined) => void }) {
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed, 200);
  const chosen = useQuery({
    queryKey: ['account', value],
    queryFn: () => ask(studio.GET('/accounts/{id}', { params: { path: { id: value ?? '' } } })),
    enabled: value !== undefined,
  }).data;
  // What stands in the field is the chosen one's name: then any may be chosen instead.
  const q = sought === '' || sought === chosen?.name ? undefined : sought;
  const found = useQuery({
    queryKey: ['accounts', 'choice', q],
    queryFn: () => page(studio.GET('/accounts', { params: { query: { limit: 20, ...(q && { q }) } } })),
  });
  const offered = [...(chosen === undefined ? [] : [chosen]), ...(found.data?.rows ?? []).filter(({ id }) => id !== chosen?.id)];
  return (
    <Select
      size="xs"
      label="Account"
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any account' }}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      value={offered.find(({ id }) => id === value)?.id ?? null}
      onChange={(id) => set(id ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={found.isPending ? 'Looking …' : 'No account is called so'}
    />
  );
}
