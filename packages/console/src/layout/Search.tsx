import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { isDialogOpen } from '../session/open-dialogs';
import { useShortcuts } from '../shared/shortcuts';

const loadPalette = () => import('./Palette');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));

/** Opens the command palette, which is loaded at its first use. */
export function Search() {
  const [isUsed, setUsed] = useState(false);
  const open = (): void => {
    if (isDialogOpen()) return; // its input would be lost
    setUsed(true);
    void loadPalette().then(({ openPalette }) => openPalette());
  };
  useHotkeys([['mod+K', open]], []);
  useShortcuts([
    ['/', open],
    ['shift+/', open],
  ]);
  return (
    <>
      <Button
        styles={{ label: { flex: 1, textAlign: 'left' } }}
        variant="default"
        size="sm"
        flex={1}
        maw={420}
        fw={400}
        justify="flex-start"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            Ctrl K
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={open}
      >
        Search
      </Button>
      {isUsed && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </>
  );
}
