import { ApiError } from '../../../domain/errors';

/** @throws ApiError PAYMENT_ID_REUSED, always */
export function idReused(what: 'payment' | 'refund', id: string): never {
  throw new ApiError('PAYMENT_ID_REUSED', `the id ${id} was used for another ${what} of this account; a new ${what} takes a new id`);
}
