import { useEffect } from 'react';

/** What the tab of the browser says while a screen is shown: asked for by one part of it, for the last that asks has its way. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
}
