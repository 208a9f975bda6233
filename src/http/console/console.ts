import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Middleware, ParameterizedContext } from 'koa';
import { ApiError, MethodNotAllowed, notFoundError } from '../../domain/errors';
import { projectRoot } from '../../platform/project-root';
import { sendBody } from '../compression';
import { newNonce } from '../../security/ids';
import { Representation } from '../docs/representation';
import type { RequestState } from '../types';

/** The first path segment of every screen; `''` is the root. A test compares it with the console's router. */
export const SCREENS = [
  '',
  'sign-in',
  'station',
  'board',
  'labels',
  'orders',
  'accounts',
  'invoices',
  'payments',
  'sends',
  'deliveries',
  'prices',
  'catalogue',
  'audit',
  'settings',
  'sessions',
] as const;

const BUILD_FOLDER = join(projectRoot, 'packages', 'console', 'dist');
const ASSETS_PATH = '/assets/';
const METHODS = ['GET', 'HEAD'];
/** The file names contain hashes, so a file with the same name never changes. */
const IMMUTABLE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'same-origin' };
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * The console at the root of the studio listener: one page for all screens, and its files. It needs no authentication and no envelope,
 * because its files contain no data; it reads data from the studio API. Errors use the envelope.
 */
export function studioConsole(): Middleware<RequestState> {
  let build: ConsoleBuild | undefined;
  return async (ctx, next) => {
    const isFile = ctx.path.startsWith(ASSETS_PATH);
    if (!isFile && !isScreen(ctx.path)) return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    ctx.state.route = ctx.state.httpRoute = 'console';
    build ??= readBuild();
    if (!isFile) return sendPage(ctx, build.page);
    const file = build.files.get(ctx.path.slice(ASSETS_PATH.length));
    if (file === undefined) throw notFoundError('file of the console; reload the page after an update');
    return file.send(ctx, IMMUTABLE_HEADERS);
  };
}

/**
 * Sends a browser that opens a document of the studio API, such as a PDF, to the sign-in page if its session has ended. The page returns
 * here. Scripts and other programs do not ask for HTML and get the error. So do links to CSV files, which would save the page as the file.
 */
export function redirectToSignIn(): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!isNavigation(ctx) || !(error instanceof ApiError) || error.status !== 401) throw error;
      ctx.state.errorCode = error.code;
      ctx.set('Cache-Control', 'no-store');
      ctx.status = 303;
      ctx.redirect(`/sign-in?${new URLSearchParams({ to: ctx.url, ended: 'yes' }).toString()}`);
    }
  };
}

const isNavigation = (ctx: ParameterizedContext): boolean =>
  ctx.method === 'GET' &&
  ctx.path.startsWith('/studio/') &&
  !ctx.path.endsWith('.csv') &&
  ctx.get('Accept').includes('text/html') &&
  ctx.get('Authorization') === '';

interface ConsoleBuild {
  /** The HTML, with `__NONCE__` in place of the nonce. */
  page: string;
  files: ReadonlyMap<string, Representation>;
}

function isScreen(path: string): boolean {
  return SCREENS.some((screen) => screen === path.split('/')[1]);
}

/** @throws ApiError NOT_FOUND if the console is not built, which happens only in development */
function readBuild(): ConsoleBuild {
  if (!existsSync(join(BUILD_FOLDER, 'index.html'))) throw notFoundError('console: it is not built; run npm run build');
  const files = readdirSync(join(BUILD_FOLDER, 'assets')).map((name): [string, Representation] => [
    name,
    new Representation(CONTENT_TYPES[extname(name)] ?? 'application/octet-stream', readFileSync(join(BUILD_FOLDER, 'assets', name))),
  ]);
  return { page: readFileSync(join(BUILD_FOLDER, 'index.html'), 'utf8'), files: new Map(files) };
}

async function sendPage(ctx: ParameterizedContext, page: string): Promise<void> {
  const nonce = newNonce();
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy(nonce),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  ctx.status = 200;
  ctx.type = 'text/html; charset=utf-8';
  await sendBody(ctx, page.replaceAll('__NONCE__', nonce));
}

/** Allows only scripts and styles of the console, and its inline styles with the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "connect-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
  ].join('; ');
}
