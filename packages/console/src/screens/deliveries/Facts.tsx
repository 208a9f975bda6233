import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Of } from '../../api/types';
import { hostOf } from '../../endpoints/words';
import { Id } from '../../shared/id';
import { When } from '../../shared/when';

/** Of which order it tells whom, and where. */
export function Facts({ delivery }: { delivery: Of<'DeliveryDetail'> }) {
  const { orderNumber, accountId, accountName, endpointUrl, eventId, sequence, createdAt, id } = delivery;
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="xs" className="facts">
      <Fact name="Order">
        <Anchor
          renderRoot={(props) => <Link to="/orders/$order" params={{ order: orderNumber }} {...props} />}
          size="sm"
          underline="always"
        >
          {orderNumber}
        </Anchor>
        , its event number {sequence}
      </Fact>
      <Fact name="Account">
        <Anchor renderRoot={(props) => <Link to="/accounts/$account" params={{ account: accountId }} {...props} />} size="sm">
          {accountName}
        </Anchor>
      </Fact>
      <Fact name="Server">
        <span title={endpointUrl}>{hostOf(endpointUrl)}</span>
      </Fact>
      <Fact name="Created">
        <When at={createdAt} />
      </Fact>
      <Fact name="Event">
        <Id of={eventId} />
      </Fact>
      <Fact name="Delivery">
        <Id of={id} />
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" fw={600}>
        {name}
      </Text>
      <Text component="dd" size="sm" className="anywhere">
        {children}
      </Text>
    </div>
  );
}
