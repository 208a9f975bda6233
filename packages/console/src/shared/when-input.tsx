import { TextInput, type TextInputProps } from '@mantine/core';
import { useSession } from '../session/session';

/** A field for a time of day where the studio is. Its value is what `instantOf` reads (shared/zoned.ts); empty is now. */
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
