import { Text } from '@mantine/core';
import type { Account } from '../draft';

export function Invoices({ account }: { account: Account }) {
  return <Text>{account.name}</Text>;
}
