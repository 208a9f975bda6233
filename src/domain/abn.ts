/**
 * The weight of each digit. One is subtracted from the first digit before weighting. The weighted sum of a valid number is a multiple of 89
 * (Australian Business Register).
 */
const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;

/**
 * Checks an Australian Business Number: eleven digits, grouped or not.
 * @returns the required form, or null if valid
 */
export function abnIssue(value: unknown): string | null {
  const problem = 'must be an ABN of eleven digits that check, such as 51 824 753 556';
  if (typeof value !== 'string' || !/^\d(?: ?\d){10}$/.test(value)) return problem;
  const digits = [...readAbn(value)].map(Number);
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * ((digits[index] ?? 0) - (index === 0 ? 1 : 0)), 0);
  return sum % 89 === 0 ? null : problem;
}

export const readAbn = (value: string): string => value.replaceAll(' ', '');

/** `51 824 753 556`, the printed form. */
export const formatAbn = (digits: string): string => digits.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4');
