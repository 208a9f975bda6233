import { Button, Stack, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useSession } from '../../session/session';
import { Refused } from '../../shared/told';
import { forgetDraft } from './draft';

/** Where a draft that was kept cannot be shown: the screen is not lost with it. */
export function DraftFault({ error, reset }: ErrorComponentProps) {
  const { tokenId } = useSession();
  const forget = (): void => {
    forgetDraft(tokenId);
    reset();
  };
  return (
    <Stack align="start">
      <Refused error={error} />
      <Text size="sm">The draft that this tab has kept cannot be shown. Without it, you can start from a book again.</Text>
      <Button color="red" variant="outline" onClick={forget}>
        Forget this draft
      </Button>
    </Stack>
  );
}
