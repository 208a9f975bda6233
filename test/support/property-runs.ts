const hasAllCases = process.env['PROPERTY_CASES'] === 'all';

/** Number of cases of a property: all of them in the proofs, a tenth in `npm test`. */
export const propertyRuns = (fullCount: number): { numRuns: number } => ({ numRuns: hasAllCases ? fullCount : Math.ceil(fullCount / 10) });

/** All of these cases in the proofs, every tenth in `npm test`. */
export const sampledCases = <T>(cases: readonly T[]): T[] => cases.filter((_, at) => hasAllCases || at % 10 === 0);
