import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../api/reads';
import { callApiPage, studio } from '../api/studio';
import { useSearchParams } from './search-params';

/** A filter that finds accounts by name or email address. */
export function AccountFilter({ name }: { name: 'account' | 'accountId' }) {
  const [{ [name]: value }, change] = useSearchParams();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const chosen = useQuery(accountQuery(value)).data;
  // The name of the selected account is not a search.
  const q = search === '' || search === chosen?.name ? undefined : search;
  const found = useQuery({
    queryKey: ['accounts', 'choice', q],
    queryFn: () => callApiPage(studio.GET('/accounts', { params: { query: { limit: 20, ...(q && { q }) } } })),
  });
  const rows = found.data?.rows ?? [];
  const choices = [...(chosen === undefined ? [] : [chosen]), ...rows.filter(({ id }) => id !== chosen?.id)];
  // Enter chooses the first row, so those of an earlier text are not shown, and the chosen account only if it was found.
  const isSearching = typed !== search || found.isPending;
  const shown = new Set((isSearching ? [] : q === undefined ? choices : rows).map(({ id }) => id));
  return (
    <Select
      size="xs"
      label="Account"
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any account' }}
      data={choices.map(({ id, name: label }) => ({ value: id, label }))}
      filter={({ options }) => options.filter((option) => 'value' in option && shown.has(option.value))}
      value={choices.find(({ id }) => id === value)?.id ?? null}
      // An endpoint belongs to one account.
      onChange={(id) => change({ [name]: id ?? undefined, endpoint: undefined })}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isSearching ? 'Loading …' : 'No results'}
    />
  );
}
