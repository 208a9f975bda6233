import { Button, NativeSelect, type NativeSelectProps, Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask, page, studio } from '../api/studio';
import { useSession } from '../session/session';

const PAUSE_MS = 400;

interface Filter {
  value: string | undefined;
  set: (value: string | undefined) => void;
}

export function DayFilter({ value = '', set, ...props }: Filter & Omit<TextInputProps, 'value'>) {
  return <TextInput type="date" value={value} onChange={(event) => set(event.currentTarget.value || undefined)} {...props} />;
}

/** A choice whose `data` has an empty value for no filter. */
export function ChoiceFilter({ value = '', set, ...props }: Filter & Omit<NativeSelectProps, 'value'>) {
  return <NativeSelect value={value} onChange={(event) => set(event.currentTarget.value || undefined)} {...props} />;
}

/** A choice that a button clears. `any` names that button for screen readers. */
export function ClearableFilter({ value = '', set, any, ...props }: Filter & Omit<SelectProps, 'value'> & { any: string }) {
  return (
    <Select
      size="xs"
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': any }}
      value={value || null}
      onChange={(chosen) => set(chosen ?? undefined)}
      {...props}
    />
  );
}

interface ClearFiltersProps {
  names: readonly string[];
  change: (changes: Readonly<Record<string, undefined>>) => void;
}

export function ClearFilters({ names, change }: ClearFiltersProps) {
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  return (
    <Button size="compact-sm" variant="subtle" style={{ alignSelf: 'flex-start' }} onClick={() => change(none)}>
      Take all filters away
    </Button>
  );
}

/** A filter that somebody types: it is looked for after a pause, at `enter`, or when one goes on. */
export function Typed({ value, set, ...props }: { value: string; set: (value: string) => void } & Omit<TextInputProps, 'value'>) {
  const [typed, setTyped] = useState(value);
  // A space at its end stays while one types on.
  useEffect(() => setTyped((before) => (before.trim() === value ? before : value)), [value]);
  const change = (text: string): void => {
    if (text.trim() !== value) set(text.trim());
  };
  const later = useDebouncedCallback(change, PAUSE_MS);
  const now = (): void => {
    later.cancel();
    change(typed);
  };
  return (
    <TextInput
      size="xs"
      {...props}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        later(text);
      }}
      onBlur={now}
      onKeyDown={(event) => event.key === 'Enter' && now()}
    />
  );
}

/** A field for a time of day where the studio is. Its value is what `instantOf` reads (shared/zoned.ts); empty is now. */
export function WhenInput(props: TextInputProps) {
  const { timeZone } = useSession();
  return (
    <TextInput
      type="datetime-local"
      description={`Now, unless you say otherwise. The clock of ${timeZone.replaceAll('_', ' ')}.`}
      {...props}
    />
  );
}

export function AccountChoice({ value, set }: Filter) {
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
    <ClearableFilter
      label="Account"
      any="Any account"
      searchable
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      value={offered.find(({ id }) => id === value)?.id}
      set={set}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={found.isPending ? 'Looking …' : 'No account is called so'}
    />
  );
}
