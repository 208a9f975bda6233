import type { HandlerRequest, ServedEndpoint } from '../types';
import type { Role } from '../../domain/roles';

/** Who calls the studio API, from the stored token's row. */
export interface StudioCaller {
  tokenId: string;
  /** Stands in the timeline and the audit log. */
  name: string;
  role: Role;
}

export type StudioRequest<B = unknown> = HandlerRequest<StudioCaller, B>;

/** One row of the studio API's endpoint table. */
export interface StudioEndpoint extends ServedEndpoint<StudioCaller> {
  role: Role;
}
