import { Checkbox, Group, Radio, Stack } from '@mantine/core';
import { ask, studio } from '../api/studio';
import { Action } from '../shared/action';
import { useFields } from '../shared/fields';
import { type OrderStatus, STATUSES } from '../shared/order-status';
import { type Endpoint, eventWords, hostOf } from './words';

type EventType = `order.${OrderStatus}`;
const EVENT_TYPES = STATUSES.map((status): EventType => `order.${status}`);

export interface EventChoice {
  isAll: boolean;
  types: string[];
}
export const choiceOf = (eventTypes: Endpoint['eventTypes']): EventChoice => ({
  isAll: eventTypes === null,
  types: eventTypes ?? [...EVENT_TYPES],
});
export const isChosen = ({ isAll, types }: EventChoice): boolean => isAll || types.length > 0;

/** As the API takes it: null is all. Types that came after this build stay chosen. */
export const chosenTypes = ({ isAll, types }: EventChoice): EventType[] | null => (isAll ? null : (types as EventType[]));

export const eventTypesInWords = (eventTypes: Endpoint['eventTypes']): string =>
  eventTypes === null ? 'All' : eventTypes.map(eventWords).join(', ');

export function EventTypesInput({ choice, onChange }: { choice: EventChoice; onChange: (choice: EventChoice) => void }) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Events"
        value={choice.isAll ? 'all' : 'some'}
        onChange={(value) => onChange({ ...choice, isAll: value === 'all' })}
      >
        <Group mt={4}>
          <Radio value="all" label="All events, also new types" />
          <Radio value="some" label="Selected events" />
        </Group>
      </Radio.Group>
      {!choice.isAll && (
        <Checkbox.Group
          label="Selected events"
          error={isChosen(choice) ? null : 'Select at least one event'}
          value={choice.types}
          onChange={(types) => onChange({ ...choice, types })}
        >
          <Group mt={4}>
            {EVENT_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={eventWords(type)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

export function ChangeEvents({ endpoint: { id, url, eventTypes } }: { endpoint: Endpoint }) {
  const { fields, set, clear } = useFields(() => ({ choice: choiceOf(eventTypes) }));
  const { choice } = fields;
  const host = hostOf(url);
  return (
    <Action
      label="Change events"
      title={`Change the events of ${host}`}
      says={[
        `${host} gets the selected events of its orders from now on. Events that are already waiting are still sent.`,
        'The client is not notified.',
      ]}
      repeats="safely"
      run={() => ask(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id } }, body: { eventTypes: chosenTypes(choice) } }))}
      done={(changed) => `Events of ${host}: ${eventTypesInWords(changed.eventTypes).toLowerCase()}`}
      onOpen={clear}
      ready={isChosen(choice)}
    >
      <EventTypesInput choice={choice} onChange={(next) => set('choice', next)} />
    </Action>
  );
}
