/** The service reads typed numbers in the same way. */
export { isOrderNumber, readNumber } from '../../../../src/domain/order-number.js';
