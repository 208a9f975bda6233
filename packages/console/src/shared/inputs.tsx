import { Select, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ask, page, studio } from '../api/studio';
import { useSession } from '../session/session';

const PAUSE_MS = 400;

/** A filter that somebody types: it is looked for after a pause, at `enter`, or when one goes on. */
export function Typed({ value, set, ...props }: { value: string; set: (value: string) => void } & Omit<TextInputProps, 'value'>) {
  const [typed, setTyped] = useState(value);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A space at its end stays while one types on.
  useEffect(() => setTyped((before) => (before.trim() === value ? before : value)), [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const now = (text: string): void => {
    clearTimeout(pause.current);
    if (text.trim() !== value) set(text.trim());
  };
  return (
    <TextInput
      size="xs"
      {...props}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        clearTimeout(pause.current);
        pause.current = setTimeout(() => now(text), PAUSE_MS);
      }}
      onBlur={() => now(typed)}
      onKeyDown={(event) => event.key === 'Enter' && now(typed)}
    />
  );
}

/** A field for a time of day where the studio is. Its value is what `instantOf` reads (shared/zoned.ts); empty is now. */
export function WhenInput({ value, set, ...props }: { value: string; set: (value: string) => void } & Omit<TextInputProps, 'value'>) {
  const { timeZone } = useSession();
  return (
    <TextInput
      type="datetime-local"
      description={`Now, unless you say otherwise. The clock of ${timeZone.replaceAll('_', ' ')}.`}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      {...props}
    />
  );
}

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
