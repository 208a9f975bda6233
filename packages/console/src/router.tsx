import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queries } from './api/queries';
import { Refusal } from './api/refusal';
import { signedInAs } from './api/studio';
import { Frame } from './layout/Frame';
import { NoScreen, Wrong } from './layout/NoScreen';
import { forgetKept } from './session/kept';
import { leave, type Why } from './session/leave';
import { isDialogOpen } from './session/open-dialogs';
import { ANOTHER, hasEnded, sessionQuery, SIGN_OUT } from './session/session';
import { onTabMessage } from './session/tabs';
import { SignIn } from './session/SignIn';
import type { Search } from './shared/address';
import { Waiting } from './shared/told';

const anything = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')) as Search;

const root = createRootRoute({ notFoundComponent: NoScreen, errorComponent: Wrong });

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignIn, validateSearch: anything });

/** Everything else is shown to those alone who are signed in; the others come back to where they wanted to go. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ location, cause }) => {
    try {
      // Whoever comes in, by going back too, is asked for: what was known of them may be over.
      await (cause === 'stay' ? queries.ensureQueryData(sessionQuery) : queries.fetchQuery({ ...sessionQuery, staleTime: 0 }));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      throw redirect({ to: '/sign-in', search: { to: location.href, ...whyOf(error, cause === 'stay') }, replace: true });
    }
  },
});

const whyOf = ({ code }: Refusal, wasIn: boolean): Why => (code === ANOTHER ? { another: 'yes' } : wasIn ? { ended: 'yes' } : {});

const screen = <Path extends string>(path: Path, name: string, load: () => Promise<Record<string, React.FunctionComponent>>) =>
  createRoute({ getParentRoute: () => frame, path, component: lazyRouteComponent(load, name), validateSearch: anything });

const routes = root.addChildren([
  signIn,
  frame.addChildren([
    screen('/', 'Today', () => import('./screens/today/Today')),
    screen('/board', 'Board', () => import('./screens/board/Board')),
    screen('/orders/$order', 'Order', () => import('./screens/order/Order')),
    screen('/accounts', 'Accounts', () => import('./screens/accounts/Accounts')),
    screen('/accounts/$account', 'Account', () => import('./screens/accounts/Account')),
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
  defaultPendingComponent: () => <Waiting what="Opening" />,
  defaultErrorComponent: Wrong,
  scrollRestoration: true,
  // An address is text throughout: an order's number stays as it was typed.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

// A session that has ended, wherever that is noticed, leads to the sign-in and from there back.
queries.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || query.queryKey[0] !== 'session') return;
  const { error, data } = query.state;
  if (data === undefined || !(error instanceof Refusal) || error.status !== 401 || router.state.location.pathname === '/sign-in') return;
  if (queries.isMutating({ mutationKey: SIGN_OUT }) > 0) return; // it says so itself
  if (hasEnded(error) && isDialogOpen()) return; // SignInAgain covers it
  void leave(router, { to: router.state.location.href, ...whyOf(error, true) });
});

onTabMessage(({ event, tokenId }) => {
  if (event === 'signed out') forgetKept(tokenId);
  if (event === 'signed out' && tokenId === signedInAs()) return void leave(router, { to: router.state.location.href, ended: 'yes' });
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
});

// A browser may keep a page as it was left and show that when one comes back to it.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
