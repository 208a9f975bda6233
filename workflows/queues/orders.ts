/** The workflows of task queue `orders`. */
export { documentSend } from '../document-send';
export { order } from '../order';
export { quoteExpiry } from '../quote-expiry';
export { attention, reminders, retention, sweep } from '../schedules';
export { statementRun } from '../statement-run';
