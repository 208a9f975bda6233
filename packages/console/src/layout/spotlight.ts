import { createSpotlight } from '@mantine/spotlight';

/** The state of the command palette. */
export const [store, spotlight] = createSpotlight();
