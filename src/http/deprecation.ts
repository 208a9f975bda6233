import type { ParameterizedContext } from 'koa';

/** An endpoint that is going away: told in its answers from `since` on, gone at `sunset`, a year later at least. */
export interface Deprecation {
  since: Date;
  sunset: Date;
  /** What to do instead: an address, also one relative to the endpoint's. The guide about versions unless there is a page of its own. */
  link?: string;
}

const GUIDE = '/docs/guides/versioning';

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and where both are explained, to whoever was let in (specification "Versioning"). */
export function setDeprecationHeaders(ctx: ParameterizedContext, { since, sunset, link = GUIDE }: Deprecation): void {
  ctx.set({
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${link}>; rel="deprecation", <${link}>; rel="sunset"`,
  });
}
