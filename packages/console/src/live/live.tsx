import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { useHasEnded } from '../session/session';

/** How often lists of one noun may be asked for because of events; a busy studio makes many events a second. */
const PACE_MS = 1_000;
/** Plots of whole days need not follow each order. */
const PACES_MS: Readonly<Record<string, number>> = { stats: 15_000 };
const TURN_MS = 250;

/** Reads again what events made old: each noun's queries at most once in their pace, and not while they are still being read. */
class Renewals {
  private readonly old = new Set<string>();
  private readonly readAt = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  /** The first words of the keys of the queries that are old now. */
  add(nouns: readonly string[]): void {
    for (const noun of nouns) this.old.add(noun);
    this.renew();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.old.clear();
  }

  private renew(): void {
    clearTimeout(this.timer);
    for (const noun of this.old) if (this.isDue(noun)) this.read(noun);
    // What could not be read yet waits; an event that comes while it is read may be of what the answer does not have.
    if (this.old.size > 0) this.timer = setTimeout(() => this.renew(), TURN_MS);
  }

  private isDue(noun: string): boolean {
    const since = Date.now() - (this.readAt.get(noun) ?? 0);
    return since >= (PACES_MS[noun] ?? PACE_MS) && this.queries.isFetching({ queryKey: [noun] }) === 0;
  }

  private read(noun: string): void {
    this.old.delete(noun);
    this.readAt.set(noun, Date.now());
    void this.queries.invalidateQueries({ queryKey: [noun] });
  }
}

/** `connecting` the first time; `lost` and `offline` mean that what is shown may be old. */
type Connection = 'connecting' | 'live' | 'lost' | 'offline';

const Now = createContext<Connection>('connecting');
export const useConnection = (): Connection => useContext(Now);

const AGAIN_MS = 3_000;
/** The longest that the screens wait for the stream. */
const START_MS = 1_000;
/** The stream gives a sign of life every fifteen seconds: without it the line is dead, though nobody has closed it. */
const SILENCE_MS = 40_000;
/** What each event makes old; the keys of queries begin with these words. */
const OLD: Readonly<Record<string, readonly string[]>> = {
  order: ['orders', 'order', 'stats', 'audit'],
  delivery: ['deliveries', 'delivery', 'order', 'endpoints', 'stats'],
  invoice: ['invoices', 'invoice', 'order', 'account', 'accounts', 'statement', 'payments', 'audit'],
  attention: ['attention', 'order', 'orders', 'audit'],
  account: ['account', 'accounts', 'statement', 'payments', 'audit'],
  endpoint: ['endpoints', 'deliveries', 'order', 'audit'],
};

/**
 * Listens to the studio's event stream for everything below it. Events carry ids alone: what they are about is read again where it is
 * shown.
 * There is no replay, so whenever it is connected, everything that is shown is read again. The screens start after that: they would
 * read everything twice.
 */
export function LiveProvider({ children }: { children: React.ReactNode }) {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const hasEnded = useHasEnded();
  const [hasWaited, setHasWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), START_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (hasEnded) return undefined; // the stream would be refused again and again
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const renewals = new Renewals(queries);
    const lose = (): void => {
      setConnection(navigator.onLine ? 'lost' : 'offline');
      void queries.invalidateQueries({ queryKey: ['session'] });
    };
    const heard = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        hangUp();
        lose();
        connect();
      }, SILENCE_MS);
    };
    const connect = (): void => {
      heard();
      source = new EventSource('/studio/v1/events/stream');
      const everything = (): void => {
        setConnection('live');
        void queries.invalidateQueries();
      };
      source.addEventListener('hello', everything);
      source.addEventListener('resync', everything);
      for (const [event, keys] of Object.entries(OLD)) {
        source.addEventListener(event, () => renewals.add(keys));
      }
      for (const event of ['hello', 'resync', 'alive', ...Object.keys(OLD)]) source.addEventListener(event, heard);
      source.addEventListener('error', () => {
        lose();
        if (source?.readyState !== EventSource.CLOSED) return; // it tries again by itself
        clearTimeout(silence);
        again = setTimeout(connect, AGAIN_MS);
      });
    };
    const hangUp = (): void => {
      clearTimeout(again);
      clearTimeout(silence);
      source?.close();
    };
    // A browser has six connections to a listener for all its tabs: only those that somebody sees keep one.
    const seen = (): void => {
      hangUp();
      if (document.visibilityState === 'visible') connect();
    };
    const goOffline = (): void => {
      setConnection('offline');
      seen();
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    addEventListener('offline', goOffline);
    addEventListener('online', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      removeEventListener('offline', goOffline);
      removeEventListener('online', seen);
      renewals.stop();
      hangUp();
    };
  }, [queries, hasEnded]);
  return <Now value={connection}>{(hasWaited || connection !== 'connecting') && children}</Now>;
}
