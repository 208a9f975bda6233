import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';

/** Before the first order: what brings one, and where those are that were only tried. */
export function Begin({ environment }: { environment: Environment }) {
  const [, choose] = useEnvironment();
  const mayOffice = useMay('office');
  const other = environment === 'live' ? 'test' : 'live';
  return (
    <>
      <Text>No {environment} order has come in yet.</Text>
      {environment === 'live' && mayOffice && <Steps />}
      {environment === 'live' && !mayOffice && <Text size="sm">As soon as a client places one, it stands here.</Text>}
      <Text size="sm" mt="xs">
        {environment === 'live'
          ? 'Orders that somebody only tries, as the demo does, are test orders: '
          : 'Test orders are placed with a key for test orders, and are never made. '}
        <Anchor component="button" inherit underline="always" onClick={() => choose(other)}>
          {environment === 'live' ? 'switch to Test' : 'Switch to Live'}
        </Anchor>
        .
      </Text>
    </>
  );
}

function Steps() {
  const to = (
    <Anchor component={Link} to="/accounts" inherit underline="always">
      Open an account
    </Anchor>
  );
  return (
    <List type="ordered" size="sm" mt="xs">
      <List.Item>{to} for the client: its discount, its credit and its terms.</List.Item>
      <List.Item>Give it a key, on the account under Keys: with it the client’s own program places orders.</List.Item>
      <List.Item>Register an endpoint there, if their program is to be told what becomes of its orders.</List.Item>
      <List.Item>Every order that they place then stands here, by itself.</List.Item>
    </List>
  );
}
