import { checkWebhook } from './check.js';
import { signWebhook } from './sign.js';
import { verifyWebhook } from './verify.js';

/** For receivers: `verify` gives the event or says why not, `check` the verdict alone, `sign` makes requests to test with. */
export const webhooks = { verify: verifyWebhook, check: checkWebhook, sign: signWebhook } as const;
