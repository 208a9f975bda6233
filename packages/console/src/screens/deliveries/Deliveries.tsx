import { Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { onlyFor } from '../../shared/terms';
import { useTitle } from '../../shared/title';
import { DeliveryList, Filters } from './DeliveryList';
import { Overview } from './Overview';

export function Deliveries() {
  useTitle('Deliveries');
  const isOffice = useMay('office');
  return (
    <Stack>
      <Title order={1} size="h2">
        Deliveries
      </Title>
      {isOffice ? (
        <>
          <Overview />
          <Filters />
          <DeliveryList />
        </>
      ) : (
        <OfficeOnly />
      )}
    </Stack>
  );
}

export const OfficeOnly = () => <Text>{onlyFor('office', 'webhook deliveries')}</Text>;
