import { Stack, Title } from '@mantine/core';
import { useTitle } from '../../shared/title';
import { DeliveryList } from './DeliveryList';
import { Filters } from './Filters';
import { Overview } from './Overview';

/** What clients' own programs were told: where it does not arrive, why, and what helps. */
export function Deliveries() {
  useTitle('Deliveries');
  return (
    <Stack>
      <Title order={1} size="h2">
        Deliveries
      </Title>
      <Overview />
      <Filters />
      <DeliveryList />
    </Stack>
  );
}
