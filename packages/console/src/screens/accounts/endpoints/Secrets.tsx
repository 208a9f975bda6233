import { Stack, Text } from '@mantine/core';
import { TellOnce } from '../../../shared/action';

export interface TwoSecrets {
  secret: string;
  standardSecret: string;
}

/** The secret of an endpoint in both of its forms, once. */
export function Secrets({ of: { secret, standardSecret }, next }: { of: TwoSecrets; next: string }) {
  return (
    <Stack>
      <TellOnce what="The secret" secret={secret} />
      <TellOnce what="The same for libraries of Standard Webhooks" secret={standardSecret} />
      <Text size="sm">{next}</Text>
    </Stack>
  );
}
