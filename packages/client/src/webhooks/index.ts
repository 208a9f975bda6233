import { checkWebhook } from './check.js';
import { signWebhook } from './sign.js';
import { verifyWebhook } from './verify.js';

/**
 * Functions for webhook receivers: `verify` returns the event or throws, `check` returns the verdict without parsing the body, and `sign`
 * creates signed requests for tests.
 */
export const webhooks = { verify: verifyWebhook, check: checkWebhook, sign: signWebhook } as const;
