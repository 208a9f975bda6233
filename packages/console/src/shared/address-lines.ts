/** The documents of the service have the same lines. */
export { addressLines, STUDIO_COUNTRY } from '../../../../src/domain/address-lines';
