import { Title } from '@mantine/core';

export function Delivery() {
  return <Title order={1}>Delivery</Title>;
}
