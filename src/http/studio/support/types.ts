import type { StudioCredential } from '../../../db/repositories/sessions';
import type { Role } from '../../../domain/roles';
import type { StudioDeps } from '../../deps';
import type { EndpointRowOf, HandlerRequest, ServedEndpoint } from '../../types';
import type { RequestContext } from './request-context';

/** The caller of the studio API, from the stored token. */
export interface StudioCaller {
  tokenId: string;
  /** The actor in the timeline and the audit log: the token, and the badge of the person at a station. */
  name: string;
  /** The badge that the station has scanned; null without one. */
  badgeId: string | null;
  role: Role;
  /** The credential of the request; long responses check it again with `isCredentialValid`. */
  credential: StudioCredential;
  requestContext: RequestContext;
  /** The version of the price book in force; null before the first. */
  bookVersion: number | null;
}

export type StudioRequest<B = unknown> = HandlerRequest<StudioDeps, StudioCaller, B>;

/** One row of the studio API's endpoint table. */
export interface StudioEndpoint extends ServedEndpoint<StudioDeps, StudioCaller> {
  role: Role;
  /**
   * The endpoint needs no credential: a sign-in contains it in the body, and a sign-out is harmless. `caller` is then a placeholder.
   */
  open?: 'sign-in' | 'sign-out';
  /** Browsers use the endpoint to check for a session, so a missing credential is not a failed authentication. */
  isSessionCheck?: true;
  /** A session may use the endpoint only within five minutes after it sent the token. A bearer token may always use it. */
  createsCredential?: true;
  /** Pages call the endpoint without a user action, so the call does not extend the session. */
  unattended?: true;
}

export type StudioEndpointRow = EndpointRowOf<StudioEndpoint>;
