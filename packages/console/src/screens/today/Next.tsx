import { Text } from '@mantine/core';
import { wordsOf } from '../../shared/status';

/** Where nothing needs a person: that; what there is to do next stands below. */
export function Next({ code }: { code: string | undefined }) {
  if (code !== undefined) return <>Nothing is open as “{wordsOf(code).toLowerCase()}”.</>;
  return (
    <Text span fw={600}>
      Nothing needs a person.
    </Text>
  );
}
