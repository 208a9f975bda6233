import { Stack, Text, Title } from '@mantine/core';
import { Refusal } from '../../api/refusal';
import { Refused } from '../../shared/told';
import { To } from '../../shared/to';

/** Where the address names no order: what would work. */
export function NoOrder({ named, error }: { named: string; error: unknown }) {
  if (!(error instanceof Refusal) || error.status !== 404)
    return (
      <Stack>
        <Title order={1}>{named}</Title>
        <Refused error={error} retry={() => location.reload()} />
      </Stack>
    );
  return (
    <Stack>
      <Title order={1}>There is no order {named}</Title>
      <Text>
        An order is found by its number exactly as it is written, such as P-10001 (T-10001 for test orders, P-10001-R1 for a remake), or by
        its id, which begins with ord_. Parts of a number, names, tracking numbers and references are found on the board.
      </Text>
      <To underline="always" to="/board" search={{ q: named }}>
        Look for “{named}” on the board
      </To>
    </Stack>
  );
}
