import type { ApiCommand } from '../api-command';

/** Invoices, and what needs a person. */
export const INVOICE_COMMANDS: readonly ApiCommand[] = [];
