import type { StudioCredential } from '../../../db/repositories/sessions';
import type { Role } from '../../../domain/roles';
import type { EndpointRowOf, HandlerRequest, ServedEndpoint } from '../../types';
import type { RequestContext } from './request-context';

/** The caller of the studio API, from the stored token. */
export interface StudioCaller {
  tokenId: string;
  /** The actor in the timeline and the audit log. */
  name: string;
  role: Role;
  /** The credential of the request; long responses check it again with `isCredentialValid`. */
  credential: StudioCredential;
  requestContext: RequestContext;
}

export type StudioRequest<B = unknown> = HandlerRequest<StudioCaller, B>;

/** One row of the studio API's endpoint table. */
export interface StudioEndpoint extends ServedEndpoint<StudioCaller> {
  role: Role;
  /**
   * Needs no credential: signing in has it in the body, and signing out does no harm. `caller` is then a placeholder.
   */
  open?: 'sign-in' | 'sign-out';
  /** Browsers use the endpoint to check for a session, so a missing credential is not a failed authentication. */
  isSessionCheck?: true;
  /** Sessions may use the endpoint for five minutes after they sent the token; bearer tokens always. */
  createsCredential?: true;
  /** Pages call the endpoint without a user action, so the call does not extend the session (ruling 81). */
  unattended?: true;
}

export type StudioEndpointRow = EndpointRowOf<StudioEndpoint>;
