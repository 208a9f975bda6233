import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Nothing } from './told';

/** Pages of which no row is shown that are read on by themselves; beyond, whoever looks says whether to go on. */
const MAX_EMPTY_PAGES = 20;

/** Reads on while a list has shown nothing and has more: a page may be empty that is not the last. @returns whether it is reading on */
export function useReadingOn(list: UseInfiniteQueryResult<{ pages: unknown[] }>, isEmpty: boolean): boolean {
  const { hasNextPage, isFetching, isFetchingNextPage, error, fetchNextPage, data } = list;
  const mayGoOn = isEmpty && hasNextPage && error === null && (data?.pages.length ?? 0) < MAX_EMPTY_PAGES;
  const goesOn = mayGoOn && !isFetching;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return mayGoOn || (isEmpty && isFetchingNextPage);
}

/** Nothing among what was read, which is not all. */
export function NoneYet({ readOn }: { readOn: () => void }) {
  return (
    <Nothing>
      Nothing so far, and there is more to look through.{' '}
      <Button size="xs" variant="default" onClick={readOn}>
        Show more
      </Button>
    </Nothing>
  );
}
