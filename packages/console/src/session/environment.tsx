import { useLocalStorage } from '@mantine/hooks';
import { createContext, useContext, useLayoutEffect, useState } from 'react';
import type { Environment } from '../api/types';

/** Of the one order that a screen is about; `unknown` while that is read, null where a screen shows what was chosen. */
type Shown = Environment | 'unknown' | null;

const Chosen = createContext<[Environment, (environment: Environment) => void]>(['live', () => {}]);
const OnScreen = createContext<[Shown, (shown: Shown) => void]>([null, () => {}]);

/** Whether live or test orders are looked at, everywhere at once, until somebody changes it. */
export function EnvironmentProvider({ children }: { children: React.ReactNode }) {
  const [environment, choose] = useLocalStorage<Environment>({
    key: 'studio-environment',
    defaultValue: 'live',
    getInitialValueInEffect: false,
    sync: false,
    serialize: String,
    deserialize: (chosen) => (chosen === 'test' ? 'test' : 'live'),
  });
  const onScreen = useState<Shown>(null);
  return (
    <Chosen value={[environment, choose]}>
      <OnScreen value={onScreen}>{children}</OnScreen>
    </Chosen>
  );
}

export const useEnvironment = (): [Environment, (environment: Environment) => void] => useContext(Chosen);

/** Says what the one order of this screen is, whatever was chosen: what stands around the screen tells of that. */
export function useShows(environment: Environment | undefined): void {
  const [, show] = useContext(OnScreen);
  useLayoutEffect(() => {
    show(environment ?? 'unknown');
    return () => show(null);
  }, [environment, show]);
}

export const useShown = (): Shown => useContext(OnScreen)[0];
