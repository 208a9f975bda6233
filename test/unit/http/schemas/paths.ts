import type Joi from 'joi';
import { ApiError } from '../../../../src/domain/errors';
import { validateBody, type UnknownFieldPolicy } from '../../../../src/http/schemas/validate';

/** The paths of the VALIDATION_ERROR that `work` throws, each with its message. Empty without an error. */
export function validationPathsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error;
    const { paths, issues } = error.details as { paths: string[]; issues: { path: string; message: string }[] };
    expect(new Set(issues.map(({ path }) => path))).toEqual(new Set(paths));
    for (const issue of issues) expect(issue).toEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) });
    return paths;
  }
  return [];
}

/** The paths that an endpoint with this schema refuses a body at. The trade API ignores unknown fields. */
export const bodyPaths = (schema: Joi.Schema, body: unknown, unknown: UnknownFieldPolicy = 'ignored'): string[] =>
  validationPathsOf(() => validateBody(schema, body, unknown));

/** The same for the studio API, which refuses unknown fields. */
export const studioPaths = (schema: Joi.Schema, body: unknown): string[] => bodyPaths(schema, body, 'refused');

/** `count` code points, each of two UTF-16 units. */
export const astralText = (count: number): string => '🖼'.repeat(count);
