/** The service reads badges in the same way. */
export { readBadge } from '../../../../src/domain/badges';
