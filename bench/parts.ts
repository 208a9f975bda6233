import { change } from './figures/change';
import { drain } from './figures/drain';
import { firstByte } from './figures/first-byte';
import { page } from './figures/page';
import { oneAccount, oneClient, sixteenClients } from './figures/placing';
import { quote } from './figures/quote';
import { reconcile } from './figures/reconcile';
import { search } from './figures/search';
import type { Figure } from './figure';

/** All figures in the order of a run. The last two share a million stored orders. */
export const FIGURES: Readonly<Record<string, Figure>> = {
  'place-1': oneClient,
  'place-16': sixteenClients,
  'place-one-account': oneAccount,
  change,
  'first-byte': firstByte,
  drain,
  quote,
  reconcile,
  page,
  search,
};
