import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { useIsSessionEnded } from '../session/session';
import { EVENT_NOUNS, type EventIds, idsIn, isAffected, type Noun } from './nouns';

/** Events of a busy studio arrive many times a second. The queries of a noun are refetched at most this often. */
const INTERVAL_MS = 1_000;
/** The figures of a day count many orders. */
const INTERVALS_MS: Readonly<Record<string, number>> = { today: 3_000 };
const CHECK_MS = 250;

/** Refetches the queries on screen that events made stale: each noun at most once per interval, never while it is being fetched. */
class StaleQueries {
  private readonly events = new Map<Noun, EventIds[]>();
  private readonly refetchedAt = new Map<Noun, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  add(nouns: readonly Noun[], event: EventIds): void {
    for (const noun of nouns) this.events.set(noun, [...(this.events.get(noun) ?? []), event]);
    this.refetch();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.events.clear();
  }

  private refetch(): void {
    clearTimeout(this.timer);
    for (const [noun, events] of this.events) if (this.isDue(noun)) this.invalidate(noun, events);
    // The running fetch may have missed an event.
    if (this.events.size > 0) this.timer = setTimeout(() => this.refetch(), CHECK_MS);
  }

  private isDue(noun: Noun): boolean {
    const elapsed = Date.now() - (this.refetchedAt.get(noun) ?? 0);
    return elapsed >= (INTERVALS_MS[noun] ?? INTERVAL_MS) && this.queries.isFetching({ queryKey: [noun] }) === 0;
  }

  private invalidate(noun: Noun, events: readonly EventIds[]): void {
    this.events.delete(noun);
    this.refetchedAt.set(noun, Date.now());
    void this.queries.invalidateQueries({ queryKey: [noun], predicate: (query) => events.some((event) => isAffected(query, event)) });
  }
}

/** `connecting` at the start. With `lost` and `offline` the page may be outdated. */
type Connection = 'connecting' | 'live' | 'lost' | 'offline';

const ConnectionContext = createContext<Connection>('connecting');
export const useConnection = (): Connection => useContext(ConnectionContext);

const RECONNECT_MS = 3_000;
/** The longest that the screens wait for the stream. */
const START_MS = 1_000;
/** The stream sends `alive` every 15 seconds. Without it the connection is dead. */
const SILENCE_MS = 40_000;
/**
 * Listens to the studio's event stream. Events contain only ids, so the queries about them are refetched. Events are not replayed: after
 * each connection all queries are refetched. The screens are drawn after the first connection, because they would fetch everything twice.
 */
export function LiveProvider({ children }: { children: React.ReactNode }) {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const hasEnded = useIsSessionEnded();
  const [hasWaited, setHasWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), START_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (hasEnded) return undefined; // the stream would be refused
    let source: EventSource | undefined;
    let reconnect: ReturnType<typeof setTimeout> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const stale = new StaleQueries(queries);
    const lose = (): void => {
      setConnection(navigator.onLine ? 'lost' : 'offline');
      void queries.invalidateQueries({ queryKey: ['session'] });
    };
    const expectSign = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        disconnect();
        lose();
        connect();
      }, SILENCE_MS);
    };
    const connect = (): void => {
      expectSign();
      source = new EventSource('/studio/v1/events/stream');
      const refetchAll = (): void => {
        setConnection('live');
        void queries.invalidateQueries();
      };
      source.addEventListener('hello', refetchAll);
      source.addEventListener('resync', refetchAll);
      for (const [event, nouns] of Object.entries(EVENT_NOUNS)) {
        source.addEventListener(event, ({ data }: MessageEvent<string>) => stale.add(nouns, idsIn(data)));
      }
      for (const event of ['hello', 'resync', 'alive', ...Object.keys(EVENT_NOUNS)]) source.addEventListener(event, expectSign);
      source.addEventListener('error', () => {
        lose();
        if (source?.readyState !== EventSource.CLOSED) return; // the browser reconnects
        clearTimeout(silence);
        reconnect = setTimeout(connect, RECONNECT_MS);
      });
    };
    const disconnect = (): void => {
      clearTimeout(reconnect);
      clearTimeout(silence);
      source?.close();
    };
    // A browser has six connections to a host for all its tabs, so hidden tabs close theirs.
    const connectIfVisible = (): void => {
      disconnect();
      if (document.visibilityState === 'visible') connect();
    };
    const goOffline = (): void => {
      setConnection('offline');
      connectIfVisible();
    };
    connectIfVisible();
    document.addEventListener('visibilitychange', connectIfVisible);
    addEventListener('offline', goOffline);
    addEventListener('online', connectIfVisible);
    return () => {
      document.removeEventListener('visibilitychange', connectIfVisible);
      removeEventListener('offline', goOffline);
      removeEventListener('online', connectIfVisible);
      stale.stop();
      disconnect();
    };
  }, [queries, hasEnded]);
  return <ConnectionContext value={connection}>{(hasWaited || connection !== 'connecting') && children}</ConnectionContext>;
}
