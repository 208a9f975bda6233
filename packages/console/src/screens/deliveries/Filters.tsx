import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { Of } from '../../api/types';
import { ERROR_CODES, errorWords, hostOf } from '../../endpoints/words';
import { AccountChoice } from '../../shared/account-choice';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
import { countInWords, useDeliveryCounts } from '../../shared/counts';
import { capital, wordsOf } from '../../shared/status';
import { Typed } from '../../shared/typed';
import { useEndpoints } from './endpoints';
import { oneOf } from '../../shared/known';

const STATES = Object.keys({ pending: true, failed: true, held: true, delivered: true } satisfies Record<Of<'Delivery'>['state'], true>);
const NARROWER = ['account', 'endpoint', 'order', 'error', 'from', 'to'] as const;
const ERRORS = ERROR_CODES.map((code) => ({ value: code, label: capital(errorWords(code)) }));
const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'nextAttempt', label: 'Next attempt first' },
];
const SORTED_BY = SORTS.map(({ value }) => value);

/** Which deliveries are listed; all of it is in the address. */
export function Filters() {
  const [search, change] = useAddress();
  const { endpoints } = useEndpoints();
  const narrowed = NARROWER.some((name) => search[name] !== undefined);
  const states = useStates(narrowed);
  const offered = endpoints.filter(({ accountId }) => search.account === undefined || accountId === search.account);
  return (
    <Stack gap="xs" role="search" aria-label="Which deliveries">
      <SegmentedControl
        size="xs"
        aria-label="State"
        className="segments"
        value={search.state === undefined ? 'all' : (oneOf(STATES, search.state) ?? '')}
        onChange={(state) => change({ state: state === 'all' ? undefined : state, sort: undefined })}
        data={states}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4, xl: 7 }} spacing="xs" verticalSpacing="xs">
        <AccountChoice value={search.account} set={(account) => change({ account, endpoint: undefined })} />
        <Select
          size="xs"
          label="Endpoint"
          placeholder="Any"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Any endpoint' }}
          data={offered.map(({ id, url, accountName }) => ({ value: id, label: `${hostOf(url)}, ${accountName}` }))}
          value={offered.find(({ id }) => id === search.endpoint)?.id ?? null}
          onChange={(endpoint) => change({ endpoint: endpoint ?? undefined })}
          nothingFoundMessage="None is called so"
        />
        <Typed label="Order" placeholder="Its number" value={search.order ?? ''} set={(order) => change({ order })} />
        <Select
          size="xs"
          label="Last error"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any error' }}
          data={ERRORS}
          value={oneOf(ERROR_CODES, search.error)}
          onChange={(error) => change({ error: error ?? undefined })}
        />
        <TextInput size="xs" type="date" label="From" value={search.from ?? ''} onChange={(e) => change({ from: e.currentTarget.value })} />
        <TextInput size="xs" type="date" label="To" value={search.to ?? ''} onChange={(e) => change({ to: e.currentTarget.value })} />
        <Select
          size="xs"
          label="Order of rows"
          allowDeselect={false}
          data={SORTS}
          value={oneOf(SORTED_BY, search.sort ?? 'newest')}
          onChange={(sort) => change(sortBy(sort))}
        />
      </SimpleGrid>
      {narrowed && (
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => change(Object.fromEntries(NARROWER.map((name) => [name, undefined])))}>
            Take all filters away
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** The states, each with how many there are now where that is what is listed: what arrived is not counted. */
function useStates(narrowed: boolean): { value: string; label: string }[] {
  const [environment] = useEnvironment();
  const counts: Readonly<Record<string, number>> | undefined = useDeliveryCounts(environment).data?.byState;
  const named = STATES.map((state) => {
    const count = narrowed ? undefined : counts?.[state];
    return { value: state, label: `${wordsOf(state)}${count === undefined ? '' : ` ${countInWords(count)}`}` };
  });
  return [{ value: 'all', label: 'All' }, ...named];
}

/** Only what is still tried has a next attempt. */
export function sortBy(sort: string | null): Record<string, string | undefined> {
  if (sort === 'nextAttempt') return { sort, state: 'pending' };
  return { sort: sort === 'newest' || sort === null ? undefined : sort };
}
