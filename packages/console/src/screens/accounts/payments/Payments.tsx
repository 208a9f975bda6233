import { Text } from '@mantine/core';
import type { Account } from '../draft';

export function Payments({ account }: { account: Account }) {
  return <Text>{account.name}</Text>;
}
