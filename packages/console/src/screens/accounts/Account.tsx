import { Title } from '@mantine/core';

export function Account() {
  return <Title order={1}>Account</Title>;
}
