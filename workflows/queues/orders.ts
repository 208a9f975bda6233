/** The workflows of task queue `orders`. */
export { attention } from '../attention';
export { order } from '../order';
export { quoteHold } from '../quote-hold';
export { retention } from '../retention';
export { sweep } from '../sweep';
