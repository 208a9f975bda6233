import { validationError } from '../../../domain/errors';
import type { StudioRequest } from './types';

/** When a key or token ends; null: never. @throws ApiError VALIDATION_ERROR for a time that has passed */
export function futureTime({ deps }: StudioRequest, expiresAt: string | null | undefined): Date | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time <= deps.clock.now()) throw validationError([{ path: 'expiresAt', message: 'must be in the future' }]);
  return time;
}
