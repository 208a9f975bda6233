import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware, ParameterizedContext } from 'koa';
import { MethodNotAllowed, notFoundError } from '../../domain/errors';
import { projectRoot } from '../../project-root';
import type { RequestState } from '../types';
import { Assets } from './assets';
import { dataFilesIn, readGuides, searchEntries, type Guide, type Audience } from './guides';
import { contentsPage, guidePage, referencePage } from './pages';
import { postmanCollection } from './postman';
import { Representation } from './representation';

/** What a listener tells of itself. */
export interface DocumentationOptions {
  /** Whose reference it is: `Trade API`. */
  name: string;
  /** Where the endpoints are, from the root of the listener: `v1`. */
  endpointsPath: string;
  audience: Audience;
  /** Where that is which the guides call, by the name their commands give it: `API`, `STUDIO`. */
  addresses: Readonly<Record<string, string>>;
  /** The OpenAPI document, made when it is first asked for. */
  createDocument: () => object;
}

/** Asked again each time, and answered with 304 as long as nothing has changed. */
const REVALIDATE_HEADERS = { 'Cache-Control': 'no-cache' };
/** An address with a hash in it never means other bytes. */
const IMMUTABLE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'same-origin' };

const BASE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; style-src 'self'";
/** The pages run their own scripts, and ask their own listener. No page shows anybody's text but ours. */
const PAGE_HEADERS = { ...REVALIDATE_HEADERS, 'Content-Security-Policy': `${BASE_POLICY}; script-src 'self'; connect-src 'self'` };

/**
 * `/openapi.json`, `/postman.json`, the reference at `/docs` and the guides at `/docs/guides`: outside the envelope and without authentication, while their
 * refusals are in it (ruling 62). They are the same bytes for everybody, made once and without the database, so no budget is spent on them.
 */
export function documentation(options: DocumentationOptions): Middleware<RequestState> {
  const assets = lazy(() => new Assets());
  const reference = lazy(() => referencePages(options, assets()));
  const guides = lazy(() => guidePages(options, assets()));
  return async (ctx, next) => {
    if (!isDocumentation(ctx.path)) return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    ctx.state.route = 'documentation';
    const asset = ctx.path.startsWith(ASSETS) ? assets().find(ctx.path.slice(ASSETS.length)) : undefined;
    if (asset !== undefined) return asset.send(ctx, IMMUTABLE_HEADERS);
    const pages = ctx.path.startsWith(GUIDES) ? guides() : reference();
    const page = pages.get(ctx.path);
    if (page === undefined && pages.has(ctx.path.replace(/\/$/, ''))) return redirectWithoutSlash(ctx);
    if (page === undefined) throw notFoundError('page; /docs and /docs/guides lead to those there are');
    return page.send(ctx, headersFor(ctx.path));
  };
}

/** The root of a listener that serves no page of its own leads to the reference. */
export function redirectRootToDocs(): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.path !== '/') return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    ctx.state.route = 'documentation';
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

/** Links of a page are relative to an address without a slash at its end. */
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

/** The commands of a guide are for a service on one's own machine; served, they call the one that serves them. */
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
