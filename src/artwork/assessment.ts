/** Applies an inspection's result to the open orders that use the picture. */
import type { Sql } from '../db/database';
import {
  clearOutdatedFindings,
  markAssessed,
  findOrdersToAssess,
  raiseFinding,
  type UploadToInspect,
} from '../db/repositories/inspections';
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
    const { state, reason, pages, width_px: widthPx, height_px: heightPx } = inspection;
    const findings = pictureFindings(upload, { state, reason, pages, widthPx, heightPx }, order?.jobs ?? []);
    await clearOutdatedFindings(sql, orderId, upload.id, findings, now);
    for (const finding of findings) await raiseFinding(sql, orderId, finding, now);
    await markAssessed(sql, orderId, upload.id, inspection.inspected_at);
  }
}
