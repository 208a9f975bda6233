import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session';

const PAUSE_MS = 400;

/** A text filter. It applies after a pause, on Enter, or when the field loses the focus. */
export function Typed({ value, set, ...props }: { value: string; set: (value: string) => void } & Omit<TextInputProps, 'value'>) {
  const [typed, setTyped] = useState(value);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Keep a trailing space while the person is typing.
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

/** A field for a date and time on the studio's clock. `instantOf` reads its value (zoned.ts); empty means now. */
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
