import { useEffect } from 'react';

/** What the tab of the browser says while a screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
}
