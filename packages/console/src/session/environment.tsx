import { useLocalStorage } from '@mantine/hooks';
import { createContext, useContext, useLayoutEffect, useState } from 'react';
import type { Environment } from '../api/studio';

/** The environment of the screen's order: `unknown` while it loads, null on screens with lists. */
type ShownEnvironment = Environment | 'unknown' | null;

const ChosenContext = createContext<[Environment, (environment: Environment) => void]>(['live', () => {}]);
const ShownContext = createContext<[ShownEnvironment, (shown: ShownEnvironment) => void]>([null, () => {}]);

/** Keeps the choice of live or test orders, for all lists of this browser. */
export function EnvironmentProvider({ children }: { children: React.ReactNode }) {
  const [environment, choose] = useLocalStorage<Environment>({
    key: 'studio-environment',
    defaultValue: 'live',
    getInitialValueInEffect: false,
    sync: false,
    serialize: String,
    deserialize: (chosen) => (chosen === 'test' ? 'test' : 'live'),
  });
  const onScreen = useState<ShownEnvironment>(null);
  return (
    <ChosenContext value={[environment, choose]}>
      <ShownContext value={onScreen}>{children}</ShownContext>
    </ChosenContext>
  );
}

export const useEnvironment = (): [Environment, (environment: Environment) => void] => useContext(ChosenContext);

/** Reports the environment of the screen's order to the frame. */
export function useSetShownEnvironment(environment: Environment | undefined): void {
  const [, show] = useContext(ShownContext);
  useLayoutEffect(() => {
    show(environment ?? 'unknown');
    return () => show(null);
  }, [environment, show]);
}

export const useShownEnvironment = (): ShownEnvironment => useContext(ShownContext)[0];
