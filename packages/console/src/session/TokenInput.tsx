import { PasswordInput } from '@mantine/core';

interface TokenInputProps {
  description?: string;
  token: string;
  set: (token: string) => void;
  cancel?: () => void;
}

export function TokenInput({ description, token, set, cancel }: TokenInputProps) {
  return (
    <PasswordInput
      label="Your token"
      description={description}
      value={token}
      onChange={(event) => set(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
      autoFocus
      onKeyDown={({ key }) => key === 'Escape' && cancel?.()}
      data-mantine-stop-propagation="true" // Escape closes this dialog, not the one below it
      required
    />
  );
}
