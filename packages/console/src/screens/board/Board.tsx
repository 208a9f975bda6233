import { Title } from '@mantine/core';

export function Board() {
  return <Title order={1}>Board</Title>;
}
