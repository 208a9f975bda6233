import { createContext, useContext, useLayoutEffect, useState } from 'react';
import type { Environment } from '../api/types';
import { chooseEnvironment, chosenEnvironment } from './session';

/** Of the one order that a screen is about; `unknown` while that is read, null where a screen shows what was chosen. */
type Shown = Environment | 'unknown' | null;

const Chosen = createContext<[Environment, (environment: Environment) => void]>(['live', () => {}]);
const OnScreen = createContext<[Shown, (shown: Shown) => void]>([null, () => {}]);

/** Whether live or test orders are looked at, everywhere at once, until somebody changes it. */
export function EnvironmentProvider({ children }: { children: React.ReactNode }) {
  const [environment, set] = useState(chosenEnvironment);
  const onScreen = useState<Shown>(null);
  const choose = (next: Environment): void => {
    chooseEnvironment(next);
    set(next);
  };
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
