export { attention } from './attention';
export { artworkInspection } from './artwork-inspection';
export { order } from './order';
export { quoteHold } from './quote-hold';
export { retention } from './retention';
export { sweep } from './sweep';
export { webhookDelivery } from './webhook-delivery';
export { webhookPing } from './webhook-studio';
