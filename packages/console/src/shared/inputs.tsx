import '@mantine/dates/styles.css';
import { ActionIcon, Popover, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session';
import { addDays, formatLocalTime, todayIn } from './local-time';
import { serviceNow } from './service-clock';
import { formatMoney, parseCents } from './amount';
import { parseTypedDay, parseTypedTime } from './typed-date';

/** The attribute of a date field with a typed text that is not read yet. */
export const UNREAD = 'data-unread';

// Local times are formatted as UTC, because the browser's time zone can skip an hour that the studio's has.
dayjs.extend(utc);

const DAY = 'D MMM YYYY';
const TIME = `${DAY}, HH:mm`;

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A day, `2026-11-22`, or a time on the studio's clock, `2026-11-22T09:30`. Empty if there is none. */
  value: string;
  onChange: (value: string) => void;
  minDate?: string;
  /** How many days the value can be after today. 0 is for past events: otherwise `28 Dec`, typed in January, is in the coming December. */
  daysAhead?: number;
  clearable?: boolean;
}

/** Day of the calendar, typed or picked. */
export const DayInput = (props: DateFieldProps) => <DateField {...props} format={DAY} parse={parseTypedDay} />;

/** Time on the studio's clock, typed or picked. `parseLocalTime` reads its value. Empty means now. */
export function DateTimeInput(props: DateFieldProps) {
  const { timeZone } = useSession();
  const [example] = useState(() => dayjs.utc(formatLocalTime(new Date(serviceNow()), timeZone)).format(TIME));
  return (
    <DateField
      description={`Default: now. Time zone: ${timeZone.replaceAll('_', ' ')}.`}
      placeholder={example}
      {...props}
      format={TIME}
      parse={parseTypedTime}
    />
  );
}

interface TypedFieldProps extends DateFieldProps {
  /** How dayjs shows the value. */
  format: string;
  /** Reads a typed text; null if it is not understood whole. */
  parse: (typed: string, today: string) => string | null;
}

/**
 * A text field with a calendar. It reads the text when the person leaves it or presses Enter. A text that is not understood whole stays with
 * an error, and the form cannot be sent. Mantine's DateInput would take a part of the text, or ignore it.
 */
function DateField({ value, onChange, format, parse, minDate, daysAhead, clearable = true, error, ...props }: TypedFieldProps) {
  const today = todayIn(useSession().timeZone);
  const maxDate = daysAhead === undefined ? undefined : addDays(today, daysAhead);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  // The value of a filter comes from the URL, which can have any text.
  const shown = dayjs.utc(value).isValid() ? dayjs.utc(value).format(format) : value;

  // Another value from outside replaces what was typed.
  useEffect(() => {
    setTyped(null);
    setProblem(null);
    input.current?.setCustomValidity('');
  }, [value]); // oxlint-disable-line react/exhaustive-effect-dependencies -- runs for each new value

  const show = (found: string | null): void => {
    setProblem(found);
    input.current?.setCustomValidity(found ?? '');
  };
  const commit = (text: string): void => {
    const read = text.trim() === '' ? '' : parse(text, today);
    const found = problemOf(read);
    show(found);
    if (found !== null || read === null) return;
    setTyped(null);
    if (read !== value) onChange(read);
  };
  function problemOf(read: string | null): string | null {
    if (read === null) return `Enter it like ${dayjs(today).format(format)}`;
    if (read === '') return clearable ? null : `Enter a day like ${dayjs(today).format(DAY)}`;
    if (maxDate !== undefined && read.slice(0, 10) > maxDate) return `Enter a day up to ${dayjs(maxDate).format(DAY)}`;
    if (minDate !== undefined && read.slice(0, 10) < minDate) return `Enter a day from ${dayjs(minDate).format(DAY)}`;
    return null;
  }
  const pick = (day: string | null): void => {
    setOpen(false);
    // A picked day keeps the time of day.
    if (day !== null) commit(value.length > 10 || format === TIME ? `${day}T${value.slice(11) || '00:00'}` : day);
    input.current?.focus();
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} withRoles={false} trapFocus position="bottom-end" returnFocus>
      <Popover.Target>
        <TextInput
          ref={input}
          autoComplete="off"
          {...props}
          {...(typed !== null && typed !== shown && { [UNREAD]: '' })}
          error={error ?? problem}
          value={typed ?? shown}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setProblem(null);
            // A scan must not send the form before the text is read.
            currentTarget.setCustomValidity('Press Enter to read the day');
          }}
          onBlur={() => typed !== null && commit(typed)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(false);
            if (event.key !== 'Enter' || typed === null) return;
            event.preventDefault();
            commit(typed);
          }}
          rightSection={
            <ActionIcon variant="subtle" color="gray" aria-label="Open calendar" onClick={() => setOpen(!isOpen)}>
              <IconCalendar size={16} aria-hidden />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown>
        <DatePicker
          value={dayjs(value).isValid() ? value.slice(0, 10) : null}
          defaultDate={dayjs(value).isValid() ? value.slice(0, 10) : today}
          {...(minDate && { minDate })}
          {...(maxDate && { maxDate })}
          onChange={pick}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface AmountInputProps extends Omit<TextInputProps, 'value'> {
  value: string;
  currency: string;
  maxCents?: number;
}

/**
 * A field for money, read by `parseCents`. NumberInput would turn a pasted `12,50` into 1250.00 and take `EUR 12` for AUD 12.00. This field
 * refuses both, and accepts `$1,234.50`.
 */
export function AmountInput({ value, currency, maxCents = Infinity, error, ...props }: AmountInputProps) {
  const cents = parseCents(value, currency);
  const isInvalid = cents === null || cents < 1 || cents > maxCents;
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
