import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { Renewals } from './renewals';

/** `connecting` the first time; `lost` means that what is shown may be old. */
type Connection = 'connecting' | 'live' | 'lost';

const Now = createContext<Connection>('connecting');
export const useConnection = (): Connection => useContext(Now);

const AGAIN_MS = 3_000;
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
 * There is no replay, so whenever it is connected, everything that is shown is read again.
 */
export function LiveProvider({ children }: { children: React.ReactNode }) {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const renewals = new Renewals(queries);
    const lose = (): void => {
      setConnection('lost');
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
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      renewals.stop();
      hangUp();
    };
  }, [queries]);
  return <Now value={connection}>{children}</Now>;
}
