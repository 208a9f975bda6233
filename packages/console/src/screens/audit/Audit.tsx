import { Title } from '@mantine/core';

export function Audit() {
  return <Title order={1}>Audit</Title>;
}
