import { Alert, Anchor, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { startScans } from '../shared/scans';
import { statusLabel } from '../shared/words';
import { useTitle } from '../shared/title';
import { fetchSession, type Session, signIn } from './sign-in';
import { notifyTabs, onTabMessage } from './tabs';
import { TokenForm } from './TokenForm';

/** Exchanges the token for a session cookie that scripts cannot read. It is a page of its own, without the router and the queries. */
export function App() {
  useTitle('Sign in');
  useEffect(() => startScans(() => {}), []); // the form refuses them
  const [isDocument, setIsDocument] = useState(false);
  const search = new URLSearchParams(location.search);
  const target = localPath(search.get('to')) ?? '/';
  const submit = async (token: string): Promise<void> => {
    notifyTabs({ event: 'signed in', tokenId: await signIn(token) });
    location.replace(target);
    setIsDocument(target.startsWith('/studio/')); // a download does not replace this page
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" w="100%" maw={440}>
        <TokenForm description="It starts with lps_. An admin of the studio creates it." submitLabel="Sign in" submit={submit}>
          <Title order={1}>Studio</Title>
          {search.has('ended') && <Text role="status">Your sign-in has ended. Sign in again to go on where you were.</Text>}
          <OtherSignIn isAnother={search.has('another')} goOn={() => location.assign(target)} />
        </TokenForm>
        {isDocument && (
          <Text role="status" mt="md">
            You are signed in, and your document is opened or saved. <Anchor href="/">Go to Today</Anchor>
          </Text>
        )}
        <Text size="sm" className="quiet" mt="md">
          You are signed out after twelve hours, or after half an hour without use. A station stays signed in.
        </Text>
      </Paper>
    </Center>
  );
}

/** A path on this site, as the browser parses it; null for other sites. */
function localPath(to: string | null): string | null {
  if (to === null || !to.startsWith('/') || !URL.canParse(to, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(to, location.origin);
  return origin === location.origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null;
}

/** The person who has signed in in another tab, which changes the session of all tabs. */
function OtherSignIn({ isAnother, goOn }: { isAnother: boolean; goOn: () => void }) {
  const [other, setOther] = useState<Session | null>(null);
  const read = useCallback(() => void fetchSession().then(setOther, () => setOther(null)), []);
  useEffect(() => {
    if (isAnother) read();
    return onTabMessage(read);
  }, [isAnother, read]);
  if (other === null) return null;
  const who = `${other.name} (${statusLabel(other.role)})`;
  return (
    <Alert role="alert" title={isAnother ? 'Somebody else has signed in in this browser' : 'Signed in in another tab'}>
      <Stack align="start" gap="xs">
        <Text size="sm">
          {isAnother
            ? `All tabs now belong to ${who}. This page belonged to another person; unsent input was not sent.`
            : `This browser is signed in as ${who} now.`}
        </Text>
        <Button size="xs" variant="default" onClick={goOn}>
          Continue as {who}
        </Button>
      </Stack>
    </Alert>
  );
}
