import { away as measure } from '../orders/away';
import type { Report } from '../report';
import type { Stage } from '../stage';

/** For a stage of its own: its Temporal is frozen. */
export const AWAY_ENV = {};

/** Orders placed while Temporal does not answer. */
export function away(stage: Stage, quick: boolean, report: Report): Promise<void> {
  return measure(stage, quick ? 1_500 : 10_000, report);
}
