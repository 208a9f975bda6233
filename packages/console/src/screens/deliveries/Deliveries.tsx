import { Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { DeliveryList, Filters } from './DeliveryList';
import { Overview } from './Overview';

export function Deliveries() {
  useTitle('Deliveries');
  const may = useMay('office');
  return (
    <Stack>
      <Title order={1} size="h2">
        Webhook deliveries
      </Title>
      {may ? (
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

export function OfficeOnly() {
  return <Text>What clients were told is shown to the office. Sign in with a token of the office to see it.</Text>;
}
