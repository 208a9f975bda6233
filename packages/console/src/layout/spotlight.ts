import { createSpotlight } from '@mantine/spotlight';

/** The state of the command palette. */
export const [store, spotlight] = createSpotlight();

/** The rows of the open palette. `data-row` names each. */
export const rowsShown = (): HTMLElement[] => [
  ...(document.getElementById(store.getState().listId)?.querySelectorAll<HTMLElement>('[data-action]') ?? []),
];

/** The name of the selected row; null without one. */
export const selectedRow = (): string | null =>
  rowsShown().find(({ dataset }) => dataset['selected'] !== undefined)?.dataset['row'] ?? null;
