import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const PAUSE_MS = 200;

interface DuplicateCheckOptions {
  /** The first word of the query key. */
  noun: string;
  /** The values of the form as one text. Null if the form is incomplete. */
  about: string | null;
  /** The records with the same values. */
  find: () => Promise<readonly string[]>;
}

/** Searches for records with the same values. If there are any, the user must confirm once. */
export function useDuplicateCheck({ noun, about, find }: DuplicateCheckOptions) {
  const [sureOf, setSureOf] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [searched] = useDebouncedValue(about, PAUSE_MS);
  const isEnabled = isOpen && about !== null;
  const isSettled = searched === about;
  const found = useQuery({
    queryKey: [noun, 'recorded', searched],
    queryFn: find,
    enabled: isEnabled && isSettled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const places = isEnabled && isSettled ? (found.data ?? []) : [];
  const isSure = sureOf === about;
  return {
    places,
    isSure,
    setSure: (isNow: boolean): void => setSureOf(isNow ? about : null),
    /** Call it when the dialog opens. */
    reset: (): void => {
      setSureOf(null);
      setOpen(true);
    },
    isReady: !isEnabled || isSure || (isSettled && !found.isLoading && places.length === 0),
  };
}

interface DuplicateWarningProps {
  title: string;
  children: React.ReactNode;
  /** The statement that the user confirms. */
  label: string;
  doubt: ReturnType<typeof useDuplicateCheck>;
}

/** A warning with a checkbox to confirm. */
export function DuplicateWarning({ title, children, label, doubt: { places, isSure, setSure } }: DuplicateWarningProps) {
  if (places.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" title={title}>
      <Stack gap="xs">
        <Text size="sm">{children}</Text>
        <Checkbox label={label} checked={isSure} onChange={(event) => setSure(event.currentTarget.checked)} />
      </Stack>
    </Alert>
  );
}
