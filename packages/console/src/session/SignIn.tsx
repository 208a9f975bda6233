import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Refusal } from '../api/refusal';
import { wordsOf } from '../shared/status';
import { useTitle } from '../shared/title';
import { Refused } from '../shared/told';
import { notifyTabs, onTabMessage } from './tabs';
import { NOT_KEPT, signIn, whoever } from './session';

/** Takes the token once; what is kept is a cookie that scripts cannot read. */
export function SignIn() {
  useTitle('Sign in');
  const [token, setToken] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { to, ended, another } = useSearch({ strict: false });
  const entering = useMutation({
    mutationFn: () => signIn(token.trim()),
    onSuccess: async (tokenId) => {
      setToken('');
      queries.clear();
      notifyTabs({ event: 'signed in', tokenId });
      await navigate({ to: ownOf(to) ?? '/', replace: true });
    },
  });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" w="100%" maw={440}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h2">
              Studio
            </Title>
            {ended !== undefined && <Text role="status">Your sign-in has ended. Sign in again to go on where you were.</Text>}
            <Whoever isAnother={another !== undefined} goOn={() => location.assign(ownOf(to) ?? '/')} />
            <PasswordInput
              label="Your token"
              description="It starts with lps_. Whoever runs the studio's service mints one for you."
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              autoFocus
              required
            />
            {isNotKept(entering.error) ? (
              <Alert color="red" role="alert" title="This browser did not keep the sign-in">
                {entering.error.message}
              </Alert>
            ) : (
              <Refused error={entering.error} />
            )}
            <Button type="submit" loading={entering.isPending} disabled={token.trim() === ''}>
              Sign in
            </Button>
            <Text size="sm" className="quiet">
              After half an hour without use, and twelve hours in all, you are asked again.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

const isNotKept = (error: Error | null): error is Refusal => error instanceof Refusal && error.code === NOT_KEPT;

/** An address of the console as the browser reads it, tabs and backslashes too; null where it is of another site. */
function ownOf(to: unknown): string | null {
  if (typeof to !== 'string' || !to.startsWith('/') || !URL.canParse(to, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(to, location.origin);
  return origin === location.origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null;
}

/** At the sign-in: who has signed in in another tab of this browser, and with that in this one too. */
function Whoever({ isAnother, goOn }: { isAnother: boolean; goOn: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['whoever'], queryFn: whoever, enabled: isAnother, retry: false, gcTime: 0 });
  useEffect(() => onTabMessage(() => void refetch()), [refetch]);
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
