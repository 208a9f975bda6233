import { currencyOf } from '../../../db/repositories/price-book-reader';
import { studioDayOf, timeZoneOf } from '../../../db/repositories/studio-calendar';
import type { PriceBook } from '../../../domain/price-book/price-book';
import type { StudioDay } from '../../../domain/pricing/ready-date';
import type { StudioRequest } from './types';

/** The price book in force when the request was admitted; null before the first. */
export async function bookInForce({ deps, caller }: StudioRequest): Promise<PriceBook | null> {
  return caller.bookVersion === null ? null : deps.priceBooks.read(deps.database, caller.bookVersion);
}

export const studioTimeZone = async (request: StudioRequest): Promise<string> => timeZoneOf(await bookInForce(request));

export const studioDay = async (request: StudioRequest): Promise<StudioDay> =>
  studioDayOf(await bookInForce(request), request.deps.clock.now());

/** Today on the studio's calendar, `YYYY-MM-DD`, which decides whether an order is late. */
export const studioToday = async (request: StudioRequest): Promise<string> => (await studioDay(request)).today;

export const studioCurrency = async (request: StudioRequest): Promise<string> => currencyOf(await bookInForce(request));
