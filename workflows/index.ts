export { order } from './order';
export { quoteHold } from './quote-hold';
export { sweep } from './sweep';
