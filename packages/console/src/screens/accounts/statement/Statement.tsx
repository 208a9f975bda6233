import { Text } from '@mantine/core';
import type { Account } from '../draft';

export function Statement({ account }: { account: Account }) {
  return <Text>{account.name}</Text>;
}
