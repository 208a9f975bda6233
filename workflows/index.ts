export { order } from './order';
export { quoteHold } from './quote-hold';
export { sweep } from './sweep';
export { webhookDelivery } from './webhook-delivery';
export { recoverProgress, webhookPing, webhookRecover } from './webhook-studio';
