import '@mantine/dates/styles.css';
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
import { DateInput, type DateInputProps } from '@mantine/dates';
import { useDebouncedCallback } from '@mantine/hooks';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { useEffect, useState } from 'react';
import { useSession } from '../session/session';
import { formatLocalTime } from './local-time';
import { formatMoney, parseCents } from './amount';

dayjs.extend(customParseFormat);

const PAUSE_MS = 400;

interface Filter {
  value: string | undefined;
  set: (value: string | undefined) => void;
}

const DAY = 'D MMM YYYY';
const TIME = `${DAY}, HH:mm`;
/** Other formats that people type. */
const DAYS = [DAY, 'YYYY-MM-DD', 'D/M/YYYY', 'D MMMM YYYY', 'D MMM', 'D/M'];
const TIMES = [TIME, 'YYYY-MM-DDTHH:mm', ...DAYS.map((day) => `${day} HH:mm`), ...DAYS];

interface DateFieldProps extends Omit<DateInputProps, 'value' | 'onChange'> {
  /** A day, `2026-11-22`, or a time on the studio's clock, `2026-11-22T09:30`. Empty if there is none. */
  value: string;
  onChange: (value: string) => void;
}

/** Day of the calendar, typed or picked. */
export function DayInput({ value, onChange, ...props }: DateFieldProps) {
  const parse = (typed: string): string | null => parseTyped(typed, DAYS)?.format('YYYY-MM-DD') ?? null;
  return (
    <DateInput
      clearable
      clearButtonProps={{ 'aria-label': 'Clear day' }}
      valueFormat={DAY}
      dateParser={parse}
      value={validOrNull(value)}
      onChange={(day) => onChange(day ?? '')}
      {...props}
    />
  );
}

/** Time on the studio's clock, typed or picked. `parseLocalTime` reads its value. Empty means now. */
export function WhenInput({ value, onChange, ...props }: DateFieldProps) {
  const { timeZone } = useSession();
  const [example] = useState(() => dayjs(formatLocalTime(new Date(), timeZone)).format(TIME));
  const parse = (typed: string): string | null => parseTyped(typed, TIMES)?.format('YYYY-MM-DD HH:mm:ss') ?? null;
  return (
    <DateInput
      clearable
      clearButtonProps={{ 'aria-label': 'Clear time' }}
      withTime
      description={`Default: now. Time zone: ${timeZone.replaceAll('_', ' ')}.`}
      placeholder={example}
      valueFormat={TIME}
      dateParser={parse}
      value={validOrNull(value)}
      onChange={(time) => onChange(time === null ? '' : dayjs(time).format('YYYY-MM-DDTHH:mm'))}
      {...props}
    />
  );
}

/** A URL can have any text in place of a day. */
const validOrNull = (value: string): string | null => (dayjs(value).isValid() ? value : null);

function parseTyped(typed: string, formats: readonly string[]): dayjs.Dayjs | undefined {
  return formats.map((format) => dayjs(typed.trim(), format, true)).find((time) => time.isValid());
}

export function DayFilter({ value = '', set, ...props }: Filter & Omit<DateFieldProps, 'value' | 'onChange'>) {
  return <DayInput value={value} onChange={(day) => set(day || undefined)} {...props} />;
}

interface AmountInputProps extends Omit<TextInputProps, 'value'> {
  value: string;
  currency: string;
  minCents?: number;
  maxCents?: number;
}

/**
 * A field for money, read by `parseCents`. NumberInput would turn a pasted `12,50` into 1250.00 and take `EUR 12` for AUD 12.00; this field
 * takes `$1,234.50` and refuses both.
 */
export function AmountInput({ value, currency, minCents = 1, maxCents = Infinity, error, ...props }: AmountInputProps) {
  const cents = parseCents(value, currency);
  const isOutside = cents === null || cents < minCents || cents > maxCents;
  const range = maxCents === Infinity ? 'Enter an amount such as 12.50' : `Enter an amount up to ${formatMoney(maxCents, currency)}`;
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      leftSection={currency}
      leftSectionWidth={48}
      leftSectionPointerEvents="none"
      {...props}
      value={value}
      error={error ?? (value.trim() !== '' && isOutside && range)}
    />
  );
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
      Clear filters
    </Button>
  );
}

/** A text filter. It applies after a pause, on Enter, or when the field loses the focus. */
export function TextFilter({ value, set, ...props }: { value: string; set: (value: string) => void } & Omit<TextInputProps, 'value'>) {
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

export function ReversalReason(field: { value: string; onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => void }) {
  return <Textarea label="Reason" description="The client does not see it." required maxLength={500} data-autofocus {...field} />;
}
