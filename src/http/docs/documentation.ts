import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware, ParameterizedContext } from 'koa';
import { MethodNotAllowed, notFoundError } from '../../domain/errors';
import { projectRoot } from '../../platform/project-root';
import type { RequestState } from '../types';
import { Assets } from './assets';
import { dataFilesIn, readGuides, searchEntries, type Guide, type Audience } from './guides';
import { contentsPage, guidePage, referencePage } from './pages';
import { postmanCollection } from './postman';
import { Representation } from './representation';

export interface DocumentationOptions {
  /** The title of the reference: `Trade API`. */
  name: string;
  /** The path of the endpoints from the root of the listener: `v1`. */
  endpointsPath: string;
  audience: Audience;
  /** The base URLs in the guides, by variable name: `API`, `STUDIO`. */
  addresses: Readonly<Record<string, string>>;
  /** The OpenAPI document, generated on first use. */
  createDocument: () => object;
}

/** Clients revalidate on each use; unchanged content is 304. */
const REVALIDATE_HEADERS = { 'Cache-Control': 'no-cache' };
/** A URL with a hash always has the same bytes. */
const IMMUTABLE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'same-origin' };

const BASE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; style-src 'self'";
/** The pages run only their own scripts and call only their listener. They show no text of clients. */
const PAGE_HEADERS = { ...REVALIDATE_HEADERS, 'Content-Security-Policy': `${BASE_POLICY}; script-src 'self'; connect-src 'self'` };

/**
 * `/openapi.json`, `/postman.json`, the reference at `/docs` and the guides at `/docs/guides`. They need no authentication and no envelope,
 * but errors use the envelope. Their bytes are generated once without the database, so they have no rate limit.
 */
export function documentation(options: DocumentationOptions): Middleware<RequestState> {
  const assets = lazy(() => new Assets());
  const reference = lazy(() => referencePages(options, assets()));
  const guides = lazy(() => guidePages(options, assets()));
  return async (ctx, next) => {
    if (!isDocumentation(ctx.path)) return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    ctx.state.route = ctx.state.httpRoute = 'documentation';
    const asset = ctx.path.startsWith(ASSETS) ? assets().find(ctx.path.slice(ASSETS.length)) : undefined;
    if (asset !== undefined) return asset.send(ctx, IMMUTABLE_HEADERS);
    const pages = ctx.path.startsWith(GUIDES) ? guides() : reference();
    const page = pages.get(ctx.path);
    if (page === undefined && pages.has(ctx.path.replace(/\/$/, ''))) return redirectWithoutSlash(ctx);
    if (page === undefined) throw notFoundError('page; /docs and /docs/guides link to all pages');
    return page.send(ctx, headersFor(ctx.path));
  };
}

/** Redirects the root of a listener without a page to the reference. */
export function redirectRootToDocs(): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.path !== '/') return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    ctx.state.route = ctx.state.httpRoute = 'documentation';
    ctx.status = 302;
    ctx.redirect('docs');
  };
}

const METHODS = ['GET', 'HEAD'];
const ASSETS = '/docs/assets/';
const GUIDES = '/docs/guides';

function isDocumentation(path: string): boolean {
  return path === '/openapi.json' || path === '/postman.json' || path === '/docs' || path.startsWith('/docs/');
}

function headersFor(path: string): Readonly<Record<string, string>> {
  return path.endsWith('.json') ? REVALIDATE_HEADERS : PAGE_HEADERS;
}

/** Links of a page are relative to a URL without a trailing slash. */
function redirectWithoutSlash(ctx: ParameterizedContext): void {
  ctx.status = 308;
  ctx.redirect(`../${ctx.path.split('/').at(-2)}`);
}

type Pages = ReadonlyMap<string, Representation>;

function referencePages({ name, endpointsPath, createDocument, audience, addresses }: DocumentationOptions, assets: Assets): Pages {
  const address = addresses[audience === 'clients' ? 'API' : 'STUDIO'] ?? '';
  return new Map([
    ['/openapi.json', json(JSON.stringify(createDocument()))],
    ['/postman.json', json(JSON.stringify(postmanCollection(createDocument(), address)))],
    ['/docs', html(referencePage({ name, assets }, endpointsPath))],
  ]);
}

function guidePages({ name, audience, addresses }: DocumentationOptions, assets: Assets): Pages {
  const folder = join(projectRoot, 'docs', 'guides');
  const [guides, files] = [readGuides(folder, audience), dataFilesIn(folder)];
  const site = { name, assets, guides, files };
  return new Map([
    [GUIDES, html(contentsPage(site))],
    ...guides.map((guide): [string, Representation] => [`${GUIDES}/${guide.path}`, html(guidePage(site, withAddresses(guide, addresses)))]),
    [`${GUIDES}/search.json`, json(JSON.stringify(searchEntries(guides)))],
    ...files.map((file): [string, Representation] => [`${GUIDES}/${file}`, json(readFileSync(join(folder, file)))]),
  ]);
}

/** Replaces the local URLs in a guide with those of this service. */
function withAddresses(guide: Guide, addresses: DocumentationOptions['addresses']): Guide {
  const markdown = Object.entries(addresses).reduce(
    (text, [name, address]) => text.replace(new RegExp(`\\b${name}=[^\\s\`]+`, 'g'), () => `${name}=${address}`),
    guide.markdown,
  );
  return { ...guide, markdown };
}

const json = (text: string | Buffer): Representation => new Representation('application/json; charset=utf-8', text);
const html = (page: string): Representation => new Representation('text/html; charset=utf-8', page);

function lazy<T>(create: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: create() }).value;
}
