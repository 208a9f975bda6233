import { TextInput } from '@mantine/core';
import { centsOf, formatMoney } from '../../../shared/amount';

interface AmountFieldProps {
  currency: string;
  /** Cents; no more than these may be put in. */
  most: number;
  /** What they are: `is outstanding`. */
  of: string;
  value: string;
  onChange: (event: React.ChangeEvent<HTMLInputElement>) => void;
}

/** An amount, with what is wrong with it as it is typed. */
export function AmountField({ currency, most, of, value, onChange }: AmountFieldProps) {
  const cents = centsOf(value);
  const fault =
    cents === null || cents <= 0
      ? 'An amount above 0, such as 12.50'
      : cents > most
        ? `More than ${of}: at most ${formatMoney(most, currency)}`
        : null;
  return (
    <TextInput
      label={`Amount in ${currency}`}
      description={`${formatMoney(most, currency)} ${of}`}
      required
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={onChange}
      error={value.trim() === '' ? null : fault}
      data-autofocus
    />
  );
}

/** As one would type it: `84.25`. */
export const amountText = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
