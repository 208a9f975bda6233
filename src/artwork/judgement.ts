/** What a look at a picture means for the open orders that it is printed for (ruling 60). */
import type { Sql } from '../db/database';
import { raiseAttention } from '../db/repositories/attention';
import { clearJudgements, markJudged, ordersToJudge, type UploadToInspect } from '../db/repositories/inspections';
import { findStudioOrder } from '../db/repositories/studio-orders';
import type { InspectionRow } from '../db/rows';
import { pictureFindings } from '../domain/resolution';

/**
 * Raises what a person has to see to on each open order that this look has not been told to, and clears what it found no more. Comes after
 * `lockUploadToInspect`, in its transaction, so that no order is placed with the upload meanwhile and missed.
 */
export async function judgeOrders(sql: Sql, upload: UploadToInspect, seen: InspectionRow, now: Date): Promise<void> {
  for (const orderId of await ordersToJudge(sql, upload.id, seen.inspected_at)) {
    const order = await findStudioOrder(sql, orderId);
    const picture = { state: seen.state, reason: seen.reason, widthPx: seen.width_px, heightPx: seen.height_px };
    const findings = pictureFindings(upload, picture, order?.jobs ?? []);
    for (const { code, subject, message } of findings) await raiseAttention(sql, { orderId, code, subject }, message, now);
    const found = findings.map(({ code, subject }) => `${code} ${subject}`);
    await clearJudgements(sql, orderId, upload.id, found, now);
    await markJudged(sql, orderId, upload.id, seen.inspected_at);
  }
}
