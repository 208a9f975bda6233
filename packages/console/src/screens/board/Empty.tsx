import { Anchor } from '@mantine/core';
import type { Environment } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { canBeDue, countOf, type Filters } from './filters';
import { isShort } from './short';

/** A number of live or of test orders, as far as it was typed. */
const BEGINS_A_NUMBER = /^(?:[PT]-?)?\d*$/i;

/** Why no order is shown, and what would bring one. */
export function Empty({ environment, filters }: { environment: Environment; filters: Filters }) {
  const [, choose] = useEnvironment();
  const other = environment === 'live' ? 'test' : 'live';
  const elsewhere = (
    <Anchor component="button" onClick={() => choose(other)}>
      Look among {other} orders
    </Anchor>
  );
  if (filters.sort === 'dueDate' && (countOf(filters) === 0 || !canBeDue(filters.status)))
    return <>Sorted by the day they are due stand only orders still to be shipped: none is. Clear the filters to see all orders.</>;
  if (countOf(filters) === 0)
    return environment === 'live' ? (
      <>No order has come in yet. Clients place them with their own programs; each is here as soon as it is placed. {elsewhere}.</>
    ) : (
      <>No client has tried an order yet. {elsewhere}.</>
    );
  if (filters.q !== undefined && isShort(filters.q))
    return (
      <>
        No number begins with “{filters.q}”. A name, an e-mail address, a reference or a tracking number is found by three letters or more,
        or digits. {BEGINS_A_NUMBER.test(filters.q.trim()) && <>{elsewhere}.</>}
      </>
    );
  return (
    <>
      No {environment} order{filters.sort === 'dueDate' ? ' still to be shipped' : ''} is like that. Clear the filters to see all of them.{' '}
      {filters.q !== undefined && <>{elsewhere}.</>}
    </>
  );
}
