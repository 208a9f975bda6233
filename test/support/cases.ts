/** How many cases a property is tried with: all of them in the proofs, a tenth in `npm test`. */
export const cases = (all: number): { numRuns: number } => ({
  numRuns: process.env['PROPERTY_CASES'] === 'all' ? all : Math.ceil(all / 10),
});
