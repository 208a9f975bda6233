import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, studio } from '../api/studio';
import { carrierTexts } from '../../../../src/domain/carriers';
import { readParcelLabel } from './parcel-label';

/** The service checks carriers with the same rules. */
export { CARRIER_LIMITS, maskIssue, repeatedCarrierText, templateIssue } from '../../../../src/domain/carriers';

export const carriersQuery = queryOptions({ queryKey: ['settings', 'carriers'], queryFn: () => callApi(studio.GET('/carriers')) });

const LAST = 'studio-carrier';

/** The carrier of the last parcel that was added in this browser. */
function lastCarrier(): string | null {
  try {
    return localStorage.getItem(LAST);
  } catch {
    return null; // storage is disabled
  }
}

export function rememberCarrier(carrier: string | undefined): void {
  try {
    if (carrier === undefined) localStorage.removeItem(LAST);
    else localStorage.setItem(LAST, carrier);
  } catch {
    // Storage is disabled or full.
  }
}

/** The parcel that a label means, and the texts of all carriers. */
export function useParcelLabel(text: string, chosen: string | null) {
  const { data, error, refetch } = useQuery(carriersQuery);
  const carriers = data?.carriers ?? [];
  return {
    ...readParcelLabel(carriers, text, chosen, lastCarrier()),
    texts: carriers.flatMap(carrierTexts),
    /** Without the carriers, the whole barcode would count as the tracking number. */
    isReady: data !== undefined,
    loadError: data === undefined ? error : null,
    retry: () => void refetch(),
  };
}
