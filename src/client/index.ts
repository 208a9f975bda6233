export { verifyWebhook } from './verify-webhook';
export type { WebhookRefusal, WebhookToVerify, WebhookVerdict } from './verify-webhook';
