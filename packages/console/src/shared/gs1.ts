/** The service reads labels with the same rules. */
export { AIM_PREFIX, withoutAimPrefix } from '../../../../src/domain/gs1.js';
