import { useEffect } from 'react';
import { storeText, storedText } from '../session/stored-text';
import { useSession } from '../session/session';

const KEY = 'order sequence';

/** Keeps the numbers of a list's orders for this tab. The order page steps through them. */
export function useKeepSequence(orders: readonly { orderNumber: string }[] | undefined): void {
  const { tokenId } = useSession();
  const numbers = orders && JSON.stringify([...new Set(orders.map(({ orderNumber }) => orderNumber))]);
  useEffect(() => {
    if (numbers !== undefined) storeText(tokenId, KEY, numbers);
  }, [tokenId, numbers]);
}

/** The orders before and after this one in the list that was shown last. */
export function useNeighbours(orderNumber: string): { previous: string | undefined; next: string | undefined } {
  const { tokenId } = useSession();
  const numbers = JSON.parse(storedText(tokenId, KEY) ?? '[]') as string[];
  const index = numbers.indexOf(orderNumber);
  return index === -1 ? { previous: undefined, next: undefined } : { previous: numbers[index - 1], next: numbers[index + 1] };
}
