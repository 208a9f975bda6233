import { Grid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { orderQuery } from '../../api/reads';
import { Refusal } from '../../api/refusal';
import { useShows } from '../../session/environment';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { To } from '../../shared/to';
import { Refused, Waiting } from '../../shared/told';
import { Actions } from './Actions';
import { Events } from './Events';
import { Facts, ShipsTo } from './Facts';
import { Attention, Details, Header, Issues, Wish } from './Header';
import { Lines } from './Lines';
import { Money } from './Money';
import type { Order as TheOrder } from './order';
import { Parcels } from './Parcels';
import { Timeline } from './Timeline';

export function Order() {
  const { order: named = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(orderQuery(named));
  useTitle(data?.orderNumber ?? named);
  useShows(data?.environment);
  if (data === undefined) return error === null ? <Waiting what={`Reading ${named}`} /> : <NoOrder named={named} error={error} />;
  return (
    <Stack>
      <Refused error={error} retry={() => void refetch()} />
      <Whole key={data.orderId} order={data} />
    </Stack>
  );
}

/** On a phone one below the other: the actions right below the status. */
function Whole({ order }: { order: TheOrder }) {
  const mayOffice = useMay('office');
  return (
    <>
      <Header order={order} />
      <Wish order={order} />
      <Actions order={order} />
      <Details order={order} hiddenFrom="sm" />
      <Attention order={order} />
      {order.remakeOf === null && <Issues order={order} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Lines order={order} />
            <ShipsTo order={order} />
            <Parcels order={order} />
            <Timeline order={order} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            {mayOffice && <Money order={order} />}
            <Events order={order} />
            <Facts order={order} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function NoOrder({ named, error }: { named: string; error: unknown }) {
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
