import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware, ParameterizedContext } from 'koa';
import { MethodNotAllowed, noSuch } from '../../domain/errors';
import { projectRoot } from '../../project-root';
import type { RequestState } from '../types';
import { Assets } from './assets';
import { dataFilesIn, readGuides, searchedSections, type Guide, type Readers } from './guides';
import { contentsPage, guidePage, referencePage } from './pages';
import { postmanCollection } from './postman';
import { Representation } from './representation';

/** What a listener tells of itself. */
export interface Documented {
  /** Whose reference it is: `Trade API`. */
  name: string;
  /** Where the endpoints are, from the root of the listener: `v1`. */
  endpoints: string;
  readers: Readers;
  /** Where that is which the guides call, by the name their commands give it: `API`, `STUDIO`. */
  addresses: Readonly<Record<string, string>>;
  /** The OpenAPI document, made when it is first asked for. */
  document: () => object;
}

/** Asked again each time, and answered with 304 as long as nothing has changed. */
const REVALIDATED = { 'Cache-Control': 'no-cache' };
/** An address with a hash in it never means other bytes. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'same-origin' };

const NOTHING_ELSE =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; style-src 'self'";
/** The pages run their own scripts, and ask their own listener. No page shows anybody's text but ours. */
const PAGE_POLICY = { ...REVALIDATED, 'Content-Security-Policy': `${NOTHING_ELSE}; script-src 'self'; connect-src 'self'` };

/**
 * `/openapi.json`, `/postman.json`, the reference at `/docs` and the guides at `/docs/guides`: outside the envelope and without authentication, while their
 * refusals are in it (ruling 62). They are the same bytes for everybody, made once and without the database, so no budget is spent on them.
 */
export function documentation(documented: Documented): Middleware<RequestState> {
  const assets = once(() => new Assets());
  const reference = once(() => referencePages(documented, assets()));
  const guides = once(() => guidePages(documented, assets()));
  return async (ctx, next) => {
    if (!isDocumentation(ctx.path)) return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    ctx.state.route = 'documentation';
    const asset = ctx.path.startsWith(ASSETS) ? assets().at(ctx.path.slice(ASSETS.length)) : undefined;
    if (asset !== undefined) return asset.send(ctx, FOR_EVER);
    const pages = ctx.path.startsWith(GUIDES) ? guides() : reference();
    const page = pages.get(ctx.path);
    if (page === undefined && pages.has(ctx.path.replace(/\/$/, ''))) return leaveSlash(ctx);
    if (page === undefined) throw noSuch('page; /docs and /docs/guides lead to those there are');
    return page.send(ctx, policyOf(ctx.path));
  };
}

/** The root of a listener that serves no page of its own leads to the reference. */
export function root(): Middleware<RequestState> {
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

function policyOf(path: string): Readonly<Record<string, string>> {
  return path.endsWith('.json') ? REVALIDATED : PAGE_POLICY;
}

/** Links of a page are relative to an address without a slash at its end. */
function leaveSlash(ctx: ParameterizedContext): void {
  ctx.status = 308;
  ctx.redirect(`../${ctx.path.split('/').at(-2)}`);
}

type Pages = ReadonlyMap<string, Representation>;

function referencePages({ name, endpoints, document, readers, addresses }: Documented, assets: Assets): Pages {
  const address = addresses[readers === 'clients' ? 'API' : 'STUDIO'] ?? '';
  return new Map([
    ['/openapi.json', json(JSON.stringify(document()))],
    ['/postman.json', json(JSON.stringify(postmanCollection(document(), address)))],
    ['/docs', html(referencePage({ name, assets }, endpoints))],
  ]);
}

function guidePages({ name, readers, addresses }: Documented, assets: Assets): Pages {
  const folder = join(projectRoot, 'docs', 'guides');
  const [guides, files] = [readGuides(folder, readers), dataFilesIn(folder)];
  const site = { name, assets, guides, files };
  return new Map([
    [GUIDES, html(contentsPage(site))],
    ...guides.map((guide): [string, Representation] => [`${GUIDES}/${guide.path}`, html(guidePage(site, calling(guide, addresses)))]),
    [`${GUIDES}/search.json`, json(JSON.stringify(searchedSections(guides)))],
    ...files.map((file): [string, Representation] => [`${GUIDES}/${file}`, json(readFileSync(join(folder, file)))]),
  ]);
}

/** The commands of a guide are for a service on one's own machine; served, they call the one that serves them. */
function calling(guide: Guide, addresses: Documented['addresses']): Guide {
  const markdown = Object.entries(addresses).reduce(
    (text, [name, address]) => text.replace(new RegExp(`\\b${name}=[^\\s\`]+`, 'g'), () => `${name}=${address}`),
    guide.markdown,
  );
  return { ...guide, markdown };
}

const json = (text: string | Buffer): Representation => new Representation('application/json; charset=utf-8', text);
const html = (page: string): Representation => new Representation('text/html; charset=utf-8', page);

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
