import { List, Text } from '@mantine/core';
import type { Environment } from '../../api/types';
import { ordersInWords, useOrderCounts } from '../../shared/counts';
import { wordsOf } from '../../shared/status';
import { BoardLink } from './BoardLink';

/** Where nothing needs a person: that, and what there is to do next. */
export function Next({ environment, code }: { environment: Environment; code: string | undefined }) {
  const counts = useOrderCounts(environment).data;
  if (code !== undefined) return <>Nothing is open as “{wordsOf(code).toLowerCase()}”.</>;
  if (counts === undefined) return <>Nothing needs a person.</>;
  const { received, in_production: inProduction, on_hold: onHold } = counts.byStatus;
  const steps = [
    {
      count: received,
      status: 'received',
      rest: received === 1 ? 'is received and waits to be started' : 'are received and wait to be started',
    },
    { count: inProduction, status: 'in_production', rest: `${inProduction === 1 ? 'is' : 'are'} in production` },
    { count: onHold, status: 'on_hold', rest: `${onHold === 1 ? 'is' : 'are'} on hold` },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <Text span fw={600}>
        Nothing needs a person.
      </Text>{' '}
      {steps.length === 0 ? <>Nothing is to be made either: every order has been shipped, completed or cancelled.</> : <>What is next:</>}
      <List component="span" size="sm">
        {steps.map(({ count, status, rest }) => (
          <List.Item key={status}>
            <BoardLink search={{ status, sort: 'dueDate' }}>{ordersInWords(count)}</BoardLink> {rest}.
          </List.Item>
        ))}
      </List>
    </>
  );
}
