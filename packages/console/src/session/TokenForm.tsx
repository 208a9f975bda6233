import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../shared/feedback';
import { useScans } from '../shared/scans';
import { playTone } from '../shared/tone';

interface TokenFormProps {
  description?: string;
  submitLabel: string;
  /** @throws Refusal, which the form shows */
  submit: (token: string) => Promise<void>;
  /** Closes the dialog of the form. */
  cancel?: () => void;
  /** The reason for the form, above the field. */
  children?: React.ReactNode;
}

export function TokenForm({ description, submitLabel, submit, cancel, children }: TokenFormProps) {
  const [token, setToken] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isPending, setIsPending] = useState(false);
  const [isScanRefused, setScanRefused] = useState(false);
  useScans(() => {
    playTone('refused');
    setScanRefused(true);
  });
  const onSubmit = (event: React.FormEvent): void => {
    event.preventDefault();
    // In React's tree this form may be inside another form.
    event.stopPropagation();
    setError(null);
    setIsPending(true);
    submit(token.trim())
      .catch((refusal: unknown) => setError(refusal))
      .finally(() => setIsPending(false));
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
          data-scan="token"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          autoFocus
          required
        />
        {isScanRefused && (
          <Alert color="red" role="alert">
            The scan did nothing. Sign in first, then scan again.
          </Alert>
        )}
        <ErrorAlert error={error} />
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
