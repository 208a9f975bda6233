import { Title } from '@mantine/core';

export function Accounts() {
  return <Title order={1}>Accounts</Title>;
}
