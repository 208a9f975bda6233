import { Stack, Text } from '@mantine/core';
import { TellOnce } from '../../../shared/action';

/** The secret of an endpoint in both of its forms, once. */
export function Secrets({ of: { secret, standardSecret }, next }: { of: { secret: string; standardSecret: string }; next: string }) {
  return (
    <Stack>
      <TellOnce what="The secret" secret={secret} />
      <TellOnce what="The same for libraries of Standard Webhooks" secret={standardSecret} />
      <Text size="sm">{next}</Text>
    </Stack>
  );
}
