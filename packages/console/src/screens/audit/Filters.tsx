import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useAddress } from '../../shared/address';
import { Typed } from '../../shared/typed';
import { ACTIONS, actionWords } from './words';

const FILTERS = ['actor', 'subject', 'action', 'from', 'to'] as const;

/** Which entries are listed; all of it is in the address. */
export function Filters() {
  const [search, change] = useAddress();
  const filtered = FILTERS.some((name) => search[name] !== undefined);
  // An action that has no words yet may come with a link.
  const actions = search.action === undefined || ACTIONS.includes(search.action) ? ACTIONS : [...ACTIONS, search.action];
  return (
    <Stack gap="xs" role="search" aria-label="Which entries">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="xs" verticalSpacing="xs">
        <Typed label="Who" placeholder="Name of a token" value={search.actor ?? ''} set={(actor) => change({ actor })} />
        <Typed
          label="To what"
          placeholder="P-10001, INV-10001, an id"
          value={search.subject ?? ''}
          set={(subject) => change({ subject })}
        />
        <Select
          size="xs"
          label="What was done"
          placeholder="Anything"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Anything' }}
          data={actions.map((action) => ({ value: action, label: actionWords(action) }))}
          value={search.action ?? null}
          onChange={(action) => change({ action: action ?? undefined })}
          nothingFoundMessage="Nothing is called so"
        />
        <TextInput size="xs" type="date" label="From" value={search.from ?? ''} onChange={(e) => change({ from: e.currentTarget.value })} />
        <TextInput size="xs" type="date" label="To" value={search.to ?? ''} onChange={(e) => change({ to: e.currentTarget.value })} />
      </SimpleGrid>
      {filtered && (
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
            Take all filters away
          </Button>
        </Group>
      )}
    </Stack>
  );
}
