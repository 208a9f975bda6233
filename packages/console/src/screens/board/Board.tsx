import { Group, Stack, Title } from '@mantine/core';
import { useEnvironment } from '../../session/environment';
import { Keys } from '../../shared/keys';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { Chosen } from './Chosen';
import { FilterBar } from './FilterBar';
import { useFilters } from './filters';
import { Orders } from './Orders';
import { Statuses } from './Statuses';

/**
 * Every order there is. A table below filters with counts, not columns of cards: a studio has a hundred thousand orders, of which a
 * column shows ten, and what one looks for is found by its status, its day or its number.
 */
export function Board() {
  useTitle('Board');
  const [environment] = useEnvironment();
  const [filters, change] = useFilters();
  useToday();
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={1}>Board</Title>
        <Keys />
      </Group>
      <Statuses environment={environment} filters={filters} />
      <FilterBar filters={filters} change={change} />
      <Chosen filters={filters} change={change} />
      <Orders environment={environment} filters={filters} change={change} />
    </Stack>
  );
}
