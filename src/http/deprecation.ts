import type { ParameterizedContext } from 'koa';

/** A deprecated endpoint: announced in responses from `since` on, removed at `sunset`, at least a year later. */
export interface Deprecation {
  since: Date;
  sunset: Date;
  /** A URL with the replacement, absolute or relative to the endpoint; the default is the guide about versions. */
  link?: string;
}

const GUIDE = '/docs/guides/versioning';

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to their explanation (specification "Versioning"). */
export function setDeprecationHeaders(ctx: ParameterizedContext, { since, sunset, link = GUIDE }: Deprecation): void {
  ctx.set({
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${link}>; rel="deprecation", <${link}>; rel="sunset"`,
  });
}
