import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { queries } from './api/queries';
import { Refusal, unreachable } from './api/refusal';
import { signedInAs } from './api/studio';
import { PageNotFound, ScreenError } from './layout/error-pages';
import { deleteStoredTexts } from './session/stored-text';
import { leave, type SignInReason } from './session/leave';
import { holdsInput } from './session/open-dialogs';
import { SIGNED_IN_AS_ANOTHER, isSessionEnded, sessionQuery, SESSION_CHANGE } from './session/session';
import { onTabMessage } from './session/tabs';
import { type ScreenPath, validateSearch } from './shared/search-params';
import { Loading } from './shared/feedback';

type LoadScreen = () => Promise<Record<string, React.FunctionComponent>>;

/** The router reloads the page after this message of a browser. It does not know Vite's message about styles. */
const MODULE_NOT_FOUND = 'Failed to fetch dynamically imported module';

/** The router reloads the page if a screen cannot be loaded, because of an update. That would lose the page while no page can be loaded. */
const withoutReloadOffline =
  (load: LoadScreen): LoadScreen =>
  () =>
    load().catch(async (error: Error) => {
      const page = await fetch('/').catch(() => null);
      if (page?.ok !== true) throw unreachable();
      throw error.message.startsWith('Unable to preload CSS') ? new Error(`${MODULE_NOT_FOUND}: ${error.message}`) : error;
    });

const root = createRootRoute({ notFoundComponent: PageNotFound, errorComponent: ScreenError });

/** All screens that need a session. Without one, the sign-in page opens first and returns here. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: lazyRouteComponent(
    withoutReloadOffline(() => import('./layout/Frame')),
    'Frame',
  ),
  beforeLoad: async ({ location, cause }) => {
    try {
      // The cached session may have ended, for example after the browser's Back.
      await (cause === 'stay' ? queries.ensureQueryData(sessionQuery) : queries.fetchQuery({ ...sessionQuery, staleTime: 0 }));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      leave({ to: location.href, ...signInReason(error, cause === 'stay') });
      await new Promise(() => {}); // the sign-in page replaces this one
    }
  },
});

const signInReason = ({ code }: Refusal, wasSignedIn: boolean): SignInReason =>
  code === SIGNED_IN_AS_ANOTHER ? { another: 'yes' } : wasSignedIn ? { ended: 'yes' } : {};

const screen = <Path extends ScreenPath>(path: Path, name: string, load: LoadScreen) =>
  createRoute({
    getParentRoute: () => frame,
    path,
    component: lazyRouteComponent(withoutReloadOffline(load), name),
    validateSearch: validateSearch(path),
  });

const routes = root.addChildren([
  frame.addChildren([
    screen('/', 'Today', () => import('./screens/today/Today')),
    screen('/station', 'Station', () => import('./screens/station/Station')),
    screen('/board', 'Board', () => import('./screens/board/Board')),
    screen('/labels', 'Labels', () => import('./screens/labels/Labels')),
    screen('/orders/$order', 'Order', () => import('./screens/order/Order')),
    screen('/accounts', 'Accounts', () => import('./screens/accounts/Accounts')),
    screen('/accounts/$account', 'Account', () => import('./screens/accounts/Account')),
    screen('/invoices', 'Invoices', () => import('./screens/invoices/Invoices')),
    screen('/invoices/$invoice', 'Invoice', () => import('./screens/invoices/Invoice')),
    screen('/payments', 'Payments', () => import('./screens/payments/Payments')),
    screen('/sends', 'Sends', () => import('./screens/sends/Sends')),
    screen('/deliveries', 'Deliveries', () => import('./screens/deliveries/Deliveries')),
    screen('/deliveries/$delivery', 'Delivery', () => import('./screens/deliveries/Delivery')),
    screen('/catalogue', 'Catalogue', () => import('./screens/catalogue/Catalogue')),
    screen('/prices', 'Prices', () => import('./screens/prices/Prices')),
    screen('/audit', 'Audit', () => import('./screens/audit/Audit')),
    screen('/settings', 'Settings', () => import('./screens/settings/Settings')),
    screen('/sessions', 'Sessions', () => import('./screens/sessions/Sessions')),
  ]),
]);

export const router = createRouter({
  routeTree: routes,
  defaultPendingComponent: () => <Loading what="Opening" />,
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
  // Unknown parameters leave the address, because the API refuses them.
  search: { strict: true },
  // Parameters stay text. The default parser would turn a number into JSON.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

// When any request finds that the session has ended, the sign-in page opens and returns here.
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || query.queryKey[0] !== 'session') return;
  const { error, data } = query.state;
  if (data === undefined || !(error instanceof Refusal) || error.status !== 401) return;
  if (queries.isMutating({ mutationKey: SESSION_CHANGE }) > 0) return; // SignOut and SignInAgain navigate themselves
  if (isSessionEnded(error) && holdsInput()) return; // SignInAgain covers the page
  leave({ to: router.state.location.href, ...signInReason(error, true) });
});

onTabMessage(({ event, tokenId }) => {
  if (event === 'signed out') deleteStoredTexts(tokenId);
  if (event === 'signed out' && tokenId === signedInAs()) return leave({ to: router.state.location.href, ended: 'yes' });
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
