import '@mantine/dates/styles.css';
import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { DateInput, type DateInputProps } from '@mantine/dates';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { useState } from 'react';
import { useSession } from '../session/session';
import { formatLocalTime } from './local-time';
import { formatMoney, parseCents } from './amount';

dayjs.extend(customParseFormat);

const DAY = 'D MMM YYYY';
const TIME = `${DAY}, HH:mm`;
/** Formats that people can type. */
const DAY_FORMATS = [DAY, 'YYYY-MM-DD', 'D/M/YYYY', 'D MMMM YYYY', 'D MMM', 'D/M'];
const TIME_FORMATS = [TIME, 'YYYY-MM-DDTHH:mm', ...DAY_FORMATS.map((day) => `${day} HH:mm`), ...DAY_FORMATS];

interface DateFieldProps extends Omit<DateInputProps, 'value' | 'onChange'> {
  /** A day, `2026-11-22`, or a time on the studio's clock, `2026-11-22T09:30`. Empty if there is none. */
  value: string;
  onChange: (value: string) => void;
}

/** Day of the calendar, typed or picked. */
export function DayInput({ value, onChange, ...props }: DateFieldProps) {
  const parse = (typed: string): string | null => parseTyped(typed, DAY_FORMATS)?.format('YYYY-MM-DD') ?? null;
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
export function DateTimeInput({ value, onChange, ...props }: DateFieldProps) {
  const { timeZone } = useSession();
  const [example] = useState(() => dayjs(formatLocalTime(new Date(), timeZone)).format(TIME));
  const parse = (typed: string): string | null => parseTyped(typed, TIME_FORMATS)?.format('YYYY-MM-DD HH:mm:ss') ?? null;
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

/** The value of a filter comes from the URL, which can have any text. */
const validOrNull = (value: string): string | null => (dayjs(value).isValid() ? value : null);

function parseTyped(typed: string, formats: readonly string[]): dayjs.Dayjs | undefined {
  return formats.map((format) => dayjs(typed.trim(), format, true)).find((time) => time.isValid());
}

interface AmountInputProps extends Omit<TextInputProps, 'value'> {
  value: string;
  currency: string;
  minCents?: number;
  maxCents?: number;
}

/**
 * A field for money, read by `parseCents`. NumberInput would turn a pasted `12,50` into 1250.00 and take `EUR 12` for AUD 12.00. This field
 * refuses both, and accepts `$1,234.50`.
 */
export function AmountInput({ value, currency, minCents = 1, maxCents = Infinity, error, ...props }: AmountInputProps) {
  const cents = parseCents(value, currency);
  const isInvalid = cents === null || cents < minCents || cents > maxCents;
  const rangeProblem = maxCents === Infinity ? 'Enter an amount such as 12.50' : `Enter an amount up to ${formatMoney(maxCents, currency)}`;
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      leftSection={currency}
      leftSectionWidth={48}
      leftSectionPointerEvents="none"
      {...props}
      value={value}
      error={error ?? (value.trim() !== '' && isInvalid && rangeProblem)}
    />
  );
}

export function ReversalReasonInput(field: { value: string; onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => void }) {
  return <Textarea label="Reason" description="The client does not see it." required maxLength={500} data-autofocus {...field} />;
}
