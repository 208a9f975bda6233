/** Ids of the three quality tiers, from the plainest up. */
export const ESSENTIAL = 'tier-essential';
export const CONSERVATION = 'tier-conservation';
export const MUSEUM = 'tier-museum';
