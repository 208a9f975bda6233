import { Anchor, List, Text } from '@mantine/core';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { Panel } from '../../shared/layout';
import { TextLink } from '../../shared/text-link';

/** Shown until the first order of the environment. */
export function FirstSteps() {
  const [environment, choose] = useEnvironment();
  const isOffice = useHasRole('office');
  const other = environment === 'live' ? 'test' : 'live';
  return (
    <Panel title={`No ${environment} orders yet`}>
      {environment === 'live' && isOffice && (
        <List type="ordered" size="sm">
          <List.Item>
            <TextLink to="/accounts" underline="always">
              Create an account
            </TextLink>{' '}
            for the client, with discount, credit limit and payment terms.
          </List.Item>
          <List.Item>Create an API key on the account. The client’s software places orders with it.</List.Item>
          <List.Item>Add a webhook endpoint if the software needs status changes.</List.Item>
        </List>
      )}
      <Text size="sm" mt="xs">
        {environment === 'live' ? 'Orders of the demo and of test keys are test orders.' : 'Test orders are never produced.'}{' '}
        <Anchor component="button" inherit underline="always" onClick={() => choose(other)}>
          Show {other} orders
        </Anchor>
      </Text>
    </Panel>
  );
}
