import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action } from '../../shared/action';
import { OnlyFor, Panel, Screen } from '../../shared/layout';
import { settingsQuery } from '../../shared/settings';
import { CLIENT_NOT_NOTIFIED } from '../../shared/words';
import { BusinessDetails } from './BusinessDetails';
import { Schedules, schedulesQuery } from './Schedules';
import { Tokens } from './Tokens';

export function Settings() {
  const isAdmin = useHasRole('admin');
  return (
    <Screen title="Settings">
      <OnlyFor minRole="office" what="the settings">
        <BusinessDetails />
        <CriticalRush />
        {isAdmin && <Tokens />}
        <Schedules />
      </OnlyFor>
      <Links />
    </Screen>
  );
}

function CriticalRush() {
  const { data: settings } = useQuery(settingsQuery);
  if (settings === undefined) return null;
  const isOn = settings.criticalRushEnabled;
  return (
    <Panel
      title="Critical rush"
      beside={
        <Action
          label={isOn ? 'Turn off' : 'Turn on'}
          target="critical rush"
          title={`Turn ${isOn ? 'off' : 'on'} critical rush`}
          consequences={[
            isOn
              ? 'New quotes with critical rush are refused. Existing quotes and orders keep it.'
              : 'New quotes can have critical rush, at the fee of the price book.',
            CLIENT_NOT_NOTIFIED,
          ]}
          repeats="safely"
          run={() => callApi(studio.PATCH('/settings', { body: { criticalRushEnabled: !isOn } }))}
          toast={() => `Critical rush is ${isOn ? 'off' : 'on'}`}
        />
      }
    >
      <Text size="sm">{isOn ? 'On: clients can choose it.' : 'Off: quotes with critical rush are refused.'}</Text>
    </Panel>
  );
}

function Links() {
  const isOffice = useHasRole('office');
  const { data: schedules } = useQuery({ ...schedulesQuery, enabled: isOffice });
  const workflow = schedules?.flatMap(({ runs }) => runs).find(({ workflowUrl }) => workflowUrl !== null)?.workflowUrl;
  const links = {
    Guides: '/docs/guides',
    'API reference': '/docs',
    ...(workflow && { 'Temporal Web UI': workflow.replace(/\/workflows\/.*$/, '/workflows') }),
  };
  return (
    <Panel title="Documentation">
      <Group>
        {Object.entries(links).map(([name, href]) => (
          <Anchor key={name} size="sm" href={href} target="_blank" rel="noreferrer">
            {name}
          </Anchor>
        ))}
      </Group>
    </Panel>
  );
}
