import { Grid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { orderQuery } from '../../api/reads';
import { Refusal } from '../../api/refusal';
import { useSetShownEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { Notes } from '../../shared/notes';
import { useNumberInAddress } from '../../shared/orders';
import { TextLink } from '../../shared/text-link';
import { useTitle } from '../../shared/title';
import { Attention, Issues, SpecialInstructions } from './Alerts';
import { Details, ShipTo } from './Details';
import { Events } from './Events';
import { Header } from './Header';
import { Lines } from './Lines';
import type { Order as OrderData } from './studio-order';
import { Parcels } from './Parcels';
import { Payment } from './Payment';
import { Progress } from './Progress';
import { Timeline } from './Timeline';

export function Order() {
  const { order: numberOrId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(orderQuery(numberOrId));
  useTitle(data?.orderNumber ?? numberOrId);
  useSetShownEnvironment(data?.environment);
  const navigate = useNavigate();
  useNumberInAddress(numberOrId, data, (order) => navigate({ to: '/orders/$order', params: { order }, hash: true, replace: true }));
  if (data === undefined)
    return error === null ? <Loading what={`Loading ${numberOrId}`} /> : <LoadError name={numberOrId} error={error} />;
  return (
    <Stack>
      <ErrorAlert error={error} retry={() => void refetch()} />
      <OrderView key={data.orderId} order={data} />
    </Stack>
  );
}

function OrderView({ order }: { order: OrderData }) {
  const isOffice = useHasRole('office');
  return (
    <>
      <Header order={order} />
      <Progress order={order} />
      <SpecialInstructions order={order} />
      <Attention order={order} />
      {order.remakeOf === null && <Issues order={order} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Lines order={order} />
            <Parcels order={order} />
            <Timeline order={order} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Notes of="orders" id={order.orderId} />
            {isOffice && <Payment order={order} />}
            <ShipTo order={order} />
            <Events order={order} />
            <Details order={order} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function LoadError({ name, error }: { name: string; error: unknown }) {
  const isMissing = error instanceof Refusal && error.status === 404;
  return (
    <Stack>
      <Title order={1}>{isMissing ? `No order ${name}` : name}</Title>
      {isMissing ? (
        <>
          <Text>In the search above, enter a complete order number, such as P-10001, T-10001 or P-10001-R1.</Text>
          <TextLink underline="always" to="/board" search={{ q: name }}>
            Search the board for “{name}”
          </TextLink>
        </>
      ) : (
        <ErrorAlert error={error} retry={() => location.reload()} />
      )}
    </Stack>
  );
}
