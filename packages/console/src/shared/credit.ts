const WARN_BPS = 9_000;
const WHOLE_BPS = 10_000;

/** How near to its limit what an account owes comes: from `used up` on no order is taken. */
type CreditStanding = 'in reach' | 'nearly used up' | 'used up';

export function creditStanding(usedBps: number): CreditStanding {
  if (usedBps >= WHOLE_BPS) return 'used up';
  return usedBps > WARN_BPS ? 'nearly used up' : 'in reach';
}

/** `99.9 %`, never rounded up: what is not used up does not look like it. */
export const usedInPercent = (usedBps: number): string => `${(Math.floor(usedBps / 10) / 10).toLocaleString('en-AU')} %`;

/** What follows it: `: nearly used up`, or nothing. */
export function standingInWords(usedBps: number): string {
  const standing = creditStanding(usedBps);
  return standing === 'in reach' ? '' : `: ${standing}`;
}
