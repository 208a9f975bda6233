import { createWebhookSender } from '../../../../src/webhooks/send';
import { aRequest } from './world';

/** Sends once to the URL in argv, prints the result, and closes nothing: the process must end anyway. */
const url = process.argv[2] ?? '';
void createWebhookSender({ allowedOrigins: [new URL(url).origin] })
  .send(aRequest({ url }))
  .then((outcome) => process.stdout.write(String(outcome?.status)));
