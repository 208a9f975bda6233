import {
  Button,
  NativeSelect,
  type NativeSelectProps,
  Select,
  type SelectProps,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
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

/** A text filter. It applies after a pause, on Enter, or when the field loses the focus. */
export function Typed({ value, set, ...props }: { value: string; set: (value: string) => void } & Omit<TextInputProps, 'value'>) {
  const [typed, setTyped] = useState(value);
  // Keep a trailing space while the person is typing.
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

/** A field for a date and time on the studio's clock. `instantOf` reads its value (zoned.ts); empty means now. */
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

export function ReversalReason(field: { value: string; onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => void }) {
  return (
    <Textarea label="Reason" description="For the studio. The client does not see it." required maxLength={500} data-autofocus {...field} />
  );
}
