import { Button, Group } from '@mantine/core';

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** The next page of what is no table, where there is one. */
export function More({ list }: { list: Paged }) {
  if (!list.hasNextPage) return null;
  return (
    <Group>
      <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Show more
      </Button>
    </Group>
  );
}
