import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

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
