import { Anchor, Badge, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';
import { useMay } from '../../session/session';
import { Action } from '../../shared/action';
import { Section } from '../../shared/section';
import { settingsQuery } from '../../shared/settings';
import { useTitle } from '../../shared/title';
import { Nothing } from '../../shared/told';
import { Schedules, schedulesQuery } from './Schedules';
import { StudioDetails } from './StudioDetails';
import { Tokens } from './Tokens';

export function Settings() {
  useTitle('Settings');
  const isOffice = useMay('office');
  const isAdmin = useMay('admin');
  return (
    <Stack gap="xl">
      <Title order={1}>Settings</Title>
      {isOffice ? (
        <>
          <StudioDetails />
          <CriticalRush />
          <Schedules />
        </>
      ) : (
        <Nothing>The studio's settings are shown to the office. Sign in with a token of the office to see them.</Nothing>
      )}
      {isAdmin && <Tokens />}
      <About />
    </Stack>
  );
}

const OFF = [
  'From the next quote on, clients that ask for critical rush are refused, and told that it is off. Standard and express are taken as before.',
  'Quotes that were given can still be ordered until they expire, and orders in critical rush keep their date. No client is told by itself.',
];
const ON = ['From the next quote on, clients can ask for critical rush again, at the fee of the price book. No client is told by itself.'];

function CriticalRush() {
  const { data: settings } = useQuery(settingsQuery);
  if (settings === undefined) return null;
  const isOn = settings.criticalRushEnabled;
  return (
    <Section title="Critical rush">
      <Group>
        <Badge variant="dot" color={isOn ? 'green' : 'gray'} tt="none" fw={500}>
          {isOn ? 'On' : 'Off'}
        </Badge>
        <Text size="sm">{isOn ? 'Clients can ask for critical rush.' : 'Quotes that ask for critical rush are refused.'}</Text>
      </Group>
      <div>
        <Action
          label={isOn ? 'Stop taking critical rush' : 'Take critical rush again'}
          says={isOn ? OFF : ON}
          repeats="safely"
          run={() => ask(studio.PATCH('/settings', { body: { criticalRushEnabled: !isOn } }))}
          done={() => (isOn ? 'Critical rush is off' : 'Critical rush is on')}
        />
      </div>
    </Section>
  );
}

function About() {
  const isOffice = useMay('office');
  const { data: schedules } = useQuery({ ...schedulesQuery, enabled: isOffice });
  const workflows = schedules
    ?.flatMap(({ runs }) => runs)
    .map(({ workflowUrl }) => workflowUrl)
    .find((address) => address !== null)
    ?.replace(/\/workflows\/.*$/, '/workflows');
  return (
    <Section title="Where to read more">
      <List size="sm">
        <List.Item>
          <Anchor size="sm" underline="always" href="/docs/guides">
            The guides
          </Anchor>
          : what to do when, and for who builds on the API.
        </List.Item>
        <List.Item>
          <Anchor size="sm" underline="always" href="/docs">
            The studio API
          </Anchor>
          : everything this console does, each endpoint to try.
        </List.Item>
        {workflows !== undefined && (
          <List.Item>
            <Anchor size="sm" underline="always" href={workflows} target="_blank" rel="noreferrer">
              The Temporal Web UI
            </Anchor>
            : the workflow of every order.
          </List.Item>
        )}
      </List>
    </Section>
  );
}
