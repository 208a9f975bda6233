/** Applies an inspection's result to the open orders that use the picture (ruling 60). */
import type { Sql } from '../db/database';
import { raiseAttention } from '../db/repositories/attention';
import { clearOutdatedFindings, markAssessed, findOrdersToAssess, type UploadToInspect } from '../db/repositories/inspections';
import { findStudioOrder } from '../db/repositories/studio-orders';
import type { InspectionRow } from '../db/rows';
import { pictureFindings } from '../domain/resolution';

/**
 * Raises attention on each open order that this result was not yet applied to, and clears attention that no longer applies. The caller has
 * called `lockUploadToInspect` in the same transaction, so that orders placed meanwhile are not missed.
 */
export async function assessOrders(sql: Sql, upload: UploadToInspect, inspection: InspectionRow, now: Date): Promise<void> {
  for (const orderId of await findOrdersToAssess(sql, upload.id, inspection.inspected_at)) {
    const order = await findStudioOrder(sql, orderId);
    const picture = { state: inspection.state, reason: inspection.reason, widthPx: inspection.width_px, heightPx: inspection.height_px };
    const findings = pictureFindings(upload, picture, order?.jobs ?? []);
    for (const { code, subject, message } of findings) await raiseAttention(sql, { orderId, code, subject }, message, now);
    const found = findings.map(({ code, subject }) => `${code} ${subject}`);
    await clearOutdatedFindings(sql, orderId, upload.id, found, now);
    await markAssessed(sql, orderId, upload.id, inspection.inspected_at);
  }
}
