import { Text } from '@mantine/core';

/** To whoever is not of the office. */
export function OfficeOnly() {
  return <Text>What clients were told is shown to the office. Sign in with a token of the office to see it.</Text>;
}
