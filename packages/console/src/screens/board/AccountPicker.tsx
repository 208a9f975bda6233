import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';

const PAUSE_MS = 200;
const MAX_SHOWN = 20;

interface AccountPickerProps {
  value: string | undefined;
  choose: (accountId: string | undefined) => void;
}

/** An account, found as one types a part of its name or e-mail address. For the office. */
export function AccountPicker({ value, choose }: AccountPickerProps) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const chosen = useAccount(value).data;
  const q = text === chosen?.name ? '' : text;
  const found = useQuery({
    queryKey: ['accounts', 'find', q],
    queryFn: () => ask(studio.GET('/accounts', { params: { query: { limit: MAX_SHOWN, sort: 'name', ...(q === '' ? {} : { q }) } } })),
    placeholderData: keepPreviousData,
  });
  const others = (found.data ?? []).filter(({ id }) => id !== value);
  return (
    <Select
      size="xs"
      label="Account"
      placeholder="Type a name"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any account' }}
      value={value ?? null}
      onChange={(id) => choose(id ?? undefined)}
      onSearchChange={setTyped}
      // The API has looked already, at more than what is shown.
      filter={({ options }) => options}
      data={[...(chosen === undefined ? [] : [chosen]), ...others].map(({ id, name }) => ({ value: id, label: name }))}
      nothingFoundMessage={found.isFetching ? 'Looking …' : 'No account is called that'}
    />
  );
}

/** The account that is chosen already, whose name the address does not have. */
export function useAccount(id: string | undefined) {
  return useQuery({
    queryKey: ['account', id],
    queryFn: () => ask(studio.GET('/accounts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });
}
