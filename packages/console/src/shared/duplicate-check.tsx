import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceNow } from './service-clock';

const PAUSE_MS = 200;

interface DuplicateCheckOptions {
  /** The first word of the query key. */
  noun: string;
  /** The values of the form as one text. Null if the form is incomplete. */
  values: string | null;
  /** The records with the same values. */
  find: () => Promise<readonly string[]>;
}

/** Searches for records with the same values. If there are any, the user must confirm once. */
export function useDuplicateCheck({ noun, values, find }: DuplicateCheckOptions) {
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [searched] = useDebouncedValue(values, PAUSE_MS);
  const isEnabled = isOpen && values !== null;
  const isSettled = searched === values;
  const found = useQuery({
    queryKey: [noun, 'recorded', searched],
    queryFn: find,
    enabled: isEnabled && isSettled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const duplicates = isEnabled && isSettled ? (found.data ?? []) : [];
  const isConfirmed = confirmed === values;
  return {
    isOpen,
    duplicates,
    isConfirmed,
    setConfirmed: (isNow: boolean): void => setConfirmed(isNow ? values : null),
    /** Call it when the dialog opens. */
    reset: (): void => {
      setConfirmed(null);
      setOpen(true);
    },
    isReady: !isEnabled || isConfirmed || (isSettled && !found.isLoading && duplicates.length === 0),
  };
}

const RECENT_MS = 10 * 60_000;

/** The time since which a record counts as new. */
export const recentSince = (): string => new Date(serviceNow() - RECENT_MS).toISOString();

/** Whether a record is so new that the same one again is probably a mistake. */
export const isRecent = (createdAt: string): boolean => serviceNow() - Date.parse(createdAt) < RECENT_MS;

interface DuplicateWarningProps {
  title: string;
  children: React.ReactNode;
  /** The statement that the user confirms. */
  label: string;
  check: ReturnType<typeof useDuplicateCheck>;
}

/** A warning with a checkbox to confirm. */
export function DuplicateWarning({ title, children, label, check: { duplicates, isConfirmed, setConfirmed } }: DuplicateWarningProps) {
  if (duplicates.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" title={title}>
      <Stack gap="xs">
        <Text size="sm">{children}</Text>
        <Checkbox label={label} checked={isConfirmed} onChange={(event) => setConfirmed(event.currentTarget.checked)} />
      </Stack>
    </Alert>
  );
}
