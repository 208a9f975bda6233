import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { errorWords } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { When } from '../../shared/when';

type Row = Of<'Delivery'>;
const LOOKED_AT = 100;

/** Webhooks that have failed at least once and are tried again: the soonest hundred, and whether there may be more. */
export function useWaiting() {
  const [environment] = useEnvironment();
  return useQuery({
    queryKey: ['deliveries', 'waiting', environment],
    queryFn: async () => {
      const query = { environment, state: 'pending', sort: 'nextAttempt', limit: LOOKED_AT } as const;
      const { rows, nextCursor } = await page(studio.GET('/deliveries', { params: { query } }));
      return { rows: rows.filter(({ lastErrorCode }) => lastErrorCode !== null), isAll: nextCursor === null };
    },
  }).data;
}

/** That webhooks wait, why, and when they are tried next: nobody has to do anything yet, but clients do not know. */
export function Waits({ waiting }: { waiting: ReturnType<typeof useWaiting> }) {
  const [soonest] = waiting?.rows ?? [];
  if (waiting === undefined || soonest === undefined) return null;
  const count = waiting.rows.length;
  return (
    <Alert color="yellow" mb="xs" role="status">
      <Anchor
        renderRoot={(props: object) => <Link {...props} to="/deliveries" search={{ state: 'pending', sort: 'nextAttempt' }} />}
        inherit
      >
        {count}
        {waiting.isAll ? '' : ' or more'} {count === 1 ? 'webhook waits' : 'webhooks wait'}
      </Anchor>
      : {reasonsOf(waiting.rows)}. Each is tried again by itself
      {soonest.nextAttemptAt !== null && (
        <>
          ; next try <When at={soonest.nextAttemptAt} />
        </>
      )}
      .
    </Alert>
  );
}

/** `their server answered 500`, the most frequent first. */
function reasonsOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { lastErrorCode, lastStatus } of rows) {
    const words = errorWords(lastErrorCode ?? '', lastStatus);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const [most = '', ...others] = [...counts].toSorted(([, one], [, other]) => other - one).map(([words]) => words);
  return others.length === 0 ? most : `${most}, and other reasons`;
}
