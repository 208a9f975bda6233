import { change } from './figures/change';
import { drain } from './figures/drain';
import { firstByte } from './figures/first-byte';
import { life } from './figures/life';
import { page } from './figures/page';
import { oneAccount, oneClient, sixteenClients } from './figures/placing';
import { quote } from './figures/quote';
import { search } from './figures/search';
import type { Figure } from './figure';
import { cost } from './more/cost';
import { inspection } from './more/inspection';
import { sweeper } from './more/sweeper';
import type { Stage } from './stage';

/** The ten figures, in the order they run in. The last two share a million stored orders. */
export const FIGURES: Readonly<Record<string, Figure>> = {
  'place-1': oneClient,
  'place-16': sixteenClients,
  'place-one-account': oneAccount,
  change,
  life,
  'first-byte': firstByte,
  drain,
  quote,
  page,
  search,
};

/** @returns lines for the report */
export type Extra = (stage: Stage, isSmoke: boolean) => Promise<string[]>;

/** Parts that run by name only. `sweeper` comes last: it leaves a million open orders behind. */
export const EXTRAS: Readonly<Record<string, Extra>> = { cost, inspection, sweeper };
