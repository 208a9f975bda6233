/** The workflows of task queue `orders`. */
export { attention } from '../attention';
export { documentSend } from '../document-send';
export { order } from '../order';
export { quoteExpiry } from '../quote-expiry';
export { reminders } from '../reminders';
export { retention } from '../retention';
export { statementRun } from '../statement-run';
export { sweep } from '../sweep';
