import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';

/** For whole numbers. By default, a pasted `1,118` becomes 1.118 and then 1. */
export const WHOLE = { allowDecimal: false, allowedDecimalSeparators: [] } satisfies NumberInputProps;

/** A number with limits. A number outside of them stays with an error, and the form cannot be sent: NumberInput would make 15 of 150. */
export function LimitedNumberInput({ min, max, value, error, ...props }: NumberInputProps & { min: number; max: number }) {
  const input = useRef<HTMLInputElement>(null);
  const isOutside = value !== undefined && value !== '' && !(Number(value) >= min && Number(value) <= max);
  const problem = isOutside ? `Enter a number from ${min} to ${max}` : '';
  useEffect(() => input.current?.setCustomValidity(problem), [problem]);
  return (
    <NumberInput
      ref={input}
      clampBehavior="none"
      min={min}
      max={max}
      {...props}
      {...(value !== undefined && { value })}
      error={error ?? (problem || undefined)}
    />
  );
}
