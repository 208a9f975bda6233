import { useEffect } from 'react';

/** Sets the title of the browser tab. Call it once per screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
}
