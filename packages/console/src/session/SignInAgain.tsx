import { Box, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../shared/dialog';
import { replacePage } from './leave';
import { holdsInput } from './open-dialogs';
import { SESSION_CHANGE, useIsSessionEnded, useSession } from './session';
import { signIn } from './sign-in';
import { notifyTabs } from './tabs';
import { TokenForm } from './TokenForm';

/** Above every other dialog, and above the dialog that asks for the token again. */
const Z_INDEX = 400;

/** Covers the page if the session has ended while a dialog is open or the page has typed input. The same person continues; another one reloads the page. */
export function SignInAgain() {
  const opened = useIsSessionEnded() && holdsInput();
  const { tokenId, name } = useSession();
  const queries = useQueryClient();
  const entering = useMutation({
    mutationKey: SESSION_CHANGE,
    mutationFn: async (token: string) => {
      const here = location.pathname + location.search; // a fragment would load nothing
      const entered = await signIn(token);
      notifyTabs({ event: 'signed in', tokenId: entered });
      if (entered !== tokenId) replacePage(here);
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Dialog opened={opened} onClose={() => {}} isLocked title="Your sign-in has ended" withCloseButton={false} fullScreen zIndex={Z_INDEX}>
      <Box maw={440}>
        <TokenForm submitLabel="Sign in" submit={entering.mutateAsync}>
          <Text size="sm">Sign in as {name} to go on. Another person discards what you entered.</Text>
        </TokenForm>
      </Box>
    </Dialog>
  );
}
