import { Stack, Title } from '@mantine/core';
import { OnlyFor } from '../../shared/only-for';
import { useTitle } from '../../shared/title';
import { DeliveryList, Filters } from './DeliveryList';
import { Overview } from './Overview';

export function Deliveries() {
  useTitle('Deliveries');
  return (
    <Stack>
      <Title order={1}>Deliveries</Title>
      <OnlyFor minRole="office" what="webhook deliveries">
        <Overview />
        <Filters />
        <DeliveryList />
      </OnlyFor>
    </Stack>
  );
}
