import { NotLoaded } from '../../shared/feedback';
import type * as Charts from './charts';

/** The charts load after the figures. */
export const loadCharts = (): Promise<typeof Charts> =>
  import('./charts').catch((): typeof Charts => ({ DueByDay: NotLoaded, RevenueSparkline: NotLoaded }));
