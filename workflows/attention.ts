import { mailAttention } from './activity-proxies';

/** Run by a Temporal Schedule every morning: mails the studio the open attention. */
export async function attention(): Promise<{ open: number }> {
  return mailAttention();
}
