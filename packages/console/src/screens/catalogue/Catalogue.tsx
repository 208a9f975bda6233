import { Title } from '@mantine/core';

export function Catalogue() {
  return <Title order={1}>Catalogue</Title>;
}
