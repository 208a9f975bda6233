import { Screen } from '../../shared/layout';
import { DeliveryList, Filters } from './DeliveryList';
import { Overview } from './Overview';

export function Deliveries() {
  return (
    <Screen title="Webhook deliveries" minRole="office" what="webhook deliveries">
      <Overview />
      <Filters />
      <DeliveryList />
    </Screen>
  );
}
