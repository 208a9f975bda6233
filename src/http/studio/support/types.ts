import type { StudioCredential } from '../../../db/repositories/sessions';
import type { Role } from '../../../domain/roles';
import type { EndpointRowOf, HandlerRequest, ServedEndpoint } from '../../types';
import type { RequestContext } from './request-context';

/** Who calls the studio API, from the stored token's row. */
export interface StudioCaller {
  tokenId: string;
  /** Stands in the timeline and the audit log. */
  name: string;
  role: Role;
  /** What the request came with: an answer that goes on for long asks `stillStands` of it. */
  credential: StudioCredential;
  requestContext: RequestContext;
}

export type StudioRequest<B = unknown> = HandlerRequest<StudioCaller, B>;

/** One row of the studio API's endpoint table. */
export interface StudioEndpoint extends ServedEndpoint<StudioCaller> {
  role: Role;
  /**
   * Whoever asks is let in: to sign in, because the credential is in the body; to sign out, because that does no harm. `caller` is then
   * nobody.
   */
  open?: 'sign-in' | 'sign-out';
  /** A browser asks it first, to see whether it is signed in: without a credential that is no failed authentication. */
  isSessionCheck?: true;
  /** A session may use it only for five minutes after its token was sent; a bearer token always. */
  createsCredential?: true;
  /** A page asks it by itself, so asking keeps no session awake (ruling 81). */
  unattended?: true;
}

/** An endpoint in the file of its resource. */
export type StudioEndpointRow = EndpointRowOf<StudioEndpoint>;
