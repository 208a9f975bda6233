import { Title } from '@mantine/core';

export function Order() {
  return <Title order={1}>Order</Title>;
}
