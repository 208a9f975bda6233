import { Title } from '@mantine/core';

export function Prices() {
  return <Title order={1}>Prices</Title>;
}
