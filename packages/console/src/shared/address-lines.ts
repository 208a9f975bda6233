/** The documents of the service have the same lines. */
export { addressLines } from '../../../../src/domain/address-lines';
