import { queryOptions } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';

const LOOK_AGAIN_MS = 30_000;
/** As Temporal has them just now; no event tells of their runs, so it is asked again. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: () => ask(studio.GET('/schedules')),
  refetchInterval: LOOK_AGAIN_MS,
});
