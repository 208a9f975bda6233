import { sendAttentionMail } from './activity-proxies';

/** Run by a Temporal Schedule every morning: mails the studio the orders that need attention. */
export async function attention(): Promise<{ open: number }> {
  return sendAttentionMail();
}
