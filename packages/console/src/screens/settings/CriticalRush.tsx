import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';
import { Action } from '../../shared/action';
import { Part } from './Part';
import { settingsQuery } from '../../shared/settings';

const OFF = [
  'From the next quote on, clients that ask for critical rush are refused, and told that it is off. Standard and express are taken as before.',
  'Quotes that were given can still be ordered until they expire, and orders in critical rush keep their date. No client is told by itself.',
];
const ON = ['From the next quote on, clients can ask for critical rush again, at the fee of the price book. No client is told by itself.'];

/** Whether the studio takes critical rush at present. */
export function CriticalRush() {
  const { data: settings } = useQuery(settingsQuery);
  if (settings === undefined) return null;
  const isOn = settings.criticalRushEnabled;
  return (
    <Part title="Critical rush">
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
    </Part>
  );
}
