import { createContext, useContext, useState } from 'react';
import type { Environment } from '../api/types';
import { chooseEnvironment, chosenEnvironment } from './session';

const Chosen = createContext<[Environment, (environment: Environment) => void]>(['live', () => {}]);

/** Whether live or test orders are looked at, everywhere at once, until somebody changes it. */
export function EnvironmentProvider({ children }: { children: React.ReactNode }) {
  const [environment, set] = useState(chosenEnvironment);
  const choose = (next: Environment): void => {
    chooseEnvironment(next);
    set(next);
  };
  return <Chosen value={[environment, choose]}>{children}</Chosen>;
}

/** What is looked at, and how to look at the other. */
export const useEnvironment = (): [Environment, (environment: Environment) => void] => useContext(Chosen);
