import { sendDocument } from './activity-proxies';
import type { SendInput } from './messages';

/** Sends one mail with a document. The row has recipient and text; the history has its id only. */
export function documentSend({ sendId }: SendInput): Promise<string> {
  return sendDocument({ sendId });
}
