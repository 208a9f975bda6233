/** Number of cases of a property: all of them in the proofs, a tenth in `npm test`. */
export const propertyRuns = (fullCount: number): { numRuns: number } => ({
  numRuns: process.env['PROPERTY_CASES'] === 'all' ? fullCount : Math.ceil(fullCount / 10),
});
