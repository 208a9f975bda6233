import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const PAUSE_MS = 200;

interface DoubtOptions {
  /** The first word of the query's key (live.tsx). */
  noun: string;
  /** What was typed, as one text. Null: nothing to look for. */
  about: string | null;
  /** Where it is recorded already. */
  find: () => Promise<readonly string[]>;
}

/** Looks whether what is typed is recorded already. The person decides about a hit once: what was sent may be sent again. */
export function useDoubt({ noun, about, find }: DoubtOptions) {
  const [sureOf, setSureOf] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [asked] = useDebouncedValue(about, PAUSE_MS);
  const isAsked = isOpen && about !== null;
  const isSettled = asked === about;
  const found = useQuery({
    queryKey: [noun, 'recorded', asked],
    queryFn: find,
    enabled: isAsked && isSettled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const places = isAsked && isSettled ? (found.data ?? []) : [];
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
    isReady: !isAsked || isSure || (isSettled && !found.isLoading && places.length === 0),
  };
}

interface DoubtProps {
  title: string;
  children: React.ReactNode;
  /** What the person confirms. */
  label: string;
  doubt: ReturnType<typeof useDoubt>;
}

/** Warns of a likely mistake. */
export function Doubt({ title, children, label, doubt: { places, isSure, setSure } }: DoubtProps) {
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
