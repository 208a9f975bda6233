import { Title } from '@mantine/core';

export function Deliveries() {
  return <Title order={1}>Deliveries</Title>;
}
