import { Checkbox, Group, Radio, Stack } from '@mantine/core';
import { callApi, studio } from '../api/studio';
import { Action, useActionForm } from '../shared/action';
import { type OrderStatus, STATUSES } from '../shared/order-status';
import { CLIENT_NOT_NOTIFIED } from '../shared/words';
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

/** As in the API, null means all event types. Types that this build does not know stay selected. */
export const chosenTypes = ({ isAll, types }: EventChoice): EventType[] | null => (isAll ? null : (types as EventType[]));

export const eventTypesInWords = (eventTypes: Endpoint['eventTypes']): string =>
  eventTypes === null ? 'All' : eventTypes.map(eventWords).join(', ');

interface EventTypesInputProps {
  value: EventChoice;
  onChange: (choice: EventChoice) => void;
}

export function EventTypesInput({ value: choice, onChange }: EventTypesInputProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Events"
        value={choice.isAll ? 'all' : 'some'}
        onChange={(value) => onChange({ ...choice, isAll: value === 'all' })}
      >
        <Group mt={4}>
          <Radio value="all" label="All events, including types added later" />
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
  const form = useActionForm(
    () => ({ choice: choiceOf(eventTypes) }),
    (values) => ({ choice: !isChosen(values.choice) && 'Select an event' }),
  );
  const { choice } = form.values;
  const host = hostOf(url);
  const body = { eventTypes: chosenTypes(choice) };
  return (
    <Action
      label="Change events"
      title={`Change the events of ${host}`}
      consequences={[`${host} gets the selected events from now on. Pending webhooks are still sent.`, CLIENT_NOT_NOTIFIED]}
      repeats="safely"
      run={() => callApi(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id } }, body }))}
      toast={(changed) => `Events of ${host}: ${eventTypesInWords(changed.eventTypes).toLowerCase()}`}
      {...form.action}
    >
      <EventTypesInput {...form.field('choice')} />
    </Action>
  );
}
