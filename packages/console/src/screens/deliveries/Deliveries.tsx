import { Stack, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { DeliveryList } from './DeliveryList';
import { Filters } from './Filters';
import { OfficeOnly } from './OfficeOnly';
import { Overview } from './Overview';

/** What clients' own programs were told: where it does not arrive, why, and what helps. */
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
