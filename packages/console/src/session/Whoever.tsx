import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { wordsOf } from '../shared/status';
import { whoever } from './session';
import { onTabs } from './tabs';

/** At the sign-in: who has signed in in another tab of this browser, and with that in this one too. */
export function Whoever({ isAnother, goOn }: { isAnother: boolean; goOn: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['whoever'], queryFn: whoever, enabled: isAnother, retry: false, gcTime: 0 });
  useEffect(() => onTabs(() => void refetch()), [refetch]);
  if (data === undefined || error !== null) return null;
  const who = `${data.name} (${wordsOf(data.role)})`;
  return (
    <Alert role="alert" title={isAnother ? 'Somebody else has signed in in this browser' : 'Signed in in another tab'}>
      <Stack align="start" gap="xs">
        <Text size="sm">
          {isAnother
            ? `It is ${who} now, in all its tabs. What this page showed was for somebody else, so it is put away; what was not sent yet was not sent.`
            : `This browser is signed in as ${who} now.`}
        </Text>
        <Button size="xs" variant="default" onClick={goOn}>
          Load anew as {who}
        </Button>
      </Stack>
    </Alert>
  );
}
