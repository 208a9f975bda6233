import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';

interface TokenFormProps {
  description?: string;
  /** Label of the button. */
  submitLabel: string;
  submit: (token: string) => void;
  isPending: boolean;
  /** Closes the dialog of the form. */
  cancel?: () => void;
  /** The reason for the form, above the field. */
  children?: React.ReactNode;
  /** Below the field, such as an error. */
  result: React.ReactNode;
}

/** A form for the person's token. */
export function TokenForm({ description, submitLabel, submit, isPending, cancel, children, result }: TokenFormProps) {
  const [token, setToken] = useState('');
  const onSubmit = (event: React.FormEvent): void => {
    event.preventDefault();
    // In React's tree this form may be inside another form.
    event.stopPropagation();
    submit(token.trim());
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {children}
        <PasswordInput
          label="Your token"
          description={description}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          autoFocus
          onKeyDown={({ key }) => key === 'Escape' && cancel?.()}
          data-mantine-stop-propagation="true" // Escape closes this dialog, not the one below it
          required
        />
        {result}
        <Group justify="flex-end" grow={cancel === undefined}>
          {cancel !== undefined && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isPending} disabled={token.trim() === ''}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
