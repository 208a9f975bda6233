import { Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useShows } from '../../session/environment';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { Refused, Waiting } from '../../shared/told';
import { Actions } from './Actions';
import { Attention } from './Attention';
import { Events } from './Events';
import { Facts } from './Facts';
import { Details, Header } from './Header';
import { Lines } from './Lines';
import { Money } from './Money';
import { NoOrder } from './NoOrder';
import { type Order as TheOrder, orderQuery } from './order';
import { Parcels } from './Parcels';
import { ShipsTo } from './ShipsTo';
import { Timeline } from './Timeline';
import { Wish } from './Wish';

/** One order: how it stands, what can be done now, and everything that became of it. */
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
