/** The workflows of task queue `webhooks`. */
export { webhookDelivery } from '../webhook-delivery';
export { webhookPing } from '../webhook-ping';
