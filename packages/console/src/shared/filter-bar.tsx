import { Box, Button, NativeSelect, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { Children, useEffect, useState } from 'react';
import { DayInput } from './inputs';
import { type Search, useSearchParams } from './search-params';

/** The filters of a list. Each one has a parameter of the page's address. On phones a button shows them. */
export function FilterBar({ label, children }: { label: string; children: React.ReactNode }) {
  const [{ tab: _tab, ...filters }, change] = useSearchParams();
  const [isOpen, { toggle }] = useDisclosure(false);
  const active = Object.keys(filters);
  return (
    <Box role="search" aria-label={label}>
      <Button hiddenFrom="sm" size="xs" variant="default" onClick={toggle} aria-expanded={isOpen}>
        Filters{active.length > 0 && ` (${active.length})`}
      </Button>
      <SimpleGrid
        {...(isOpen ? {} : { visibleFrom: 'sm' })}
        cols={{ base: 1, xs: 2, sm: 4, lg: Children.toArray(children).length }}
        spacing="xs"
        verticalSpacing="xs"
      >
        {children}
      </SimpleGrid>
      {active.length > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => change(Object.fromEntries(active.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
    </Box>
  );
}

export function useIsFiltered(): boolean {
  const [{ tab: _tab, sort: _sort, ...filters }] = useSearchParams();
  return Object.keys(filters).length > 0;
}

interface FilterProps {
  /** The parameter of the page's address. */
  name: keyof Search;
  label: string;
}

export function DayFilter({ name, label }: FilterProps) {
  const [search, change] = useSearchParams();
  return <DayInput size="xs" label={label} value={search[name] ?? ''} onChange={(day) => change({ [name]: day || undefined })} />;
}

interface ChoiceFilterProps extends FilterProps {
  data: readonly { value: string; label: string }[];
  /** The choice without a filter. */
  all?: string;
}

export function ChoiceFilter({ name, label, data, all = 'Any' }: ChoiceFilterProps) {
  const [search, change] = useSearchParams();
  const value = search[name] ?? '';
  const choices = [{ value: '', label: all }, ...data];
  // A link can have a value that is no choice.
  if (!choices.some((choice) => choice.value === value)) choices.push({ value, label: value });
  return (
    <NativeSelect
      size="xs"
      label={label}
      data={choices}
      value={value}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
}

const PAUSE_MS = 400;

/** A text filter. It applies after a pause, on Enter, or when the field loses the focus. */
export function TextFilter({ name, ...props }: FilterProps & TextInputProps) {
  const [{ [name]: value = '' }, change] = useSearchParams();
  const [typed, setTyped] = useState(value);
  // Keep a trailing space while the person is typing.
  useEffect(() => setTyped((before) => (before.trim() === value ? before : value)), [value]);
  const apply = useDebouncedCallback((text: string) => {
    if (text.trim() !== value) change({ [name]: text.trim() || undefined });
  }, PAUSE_MS);
  return (
    <TextInput
      size="xs"
      maxLength={200}
      {...props}
      value={typed}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        apply(text);
      }}
      onBlur={() => apply.flush()}
      onKeyDown={({ key }) => key === 'Enter' && apply.flush()}
    />
  );
}
