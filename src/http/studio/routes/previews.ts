import { artworkNamed, type SeenArtwork } from '../../../db/repositories/studio-orders';
import { ApiError } from '../../../domain/errors';
import { lineInWords, noSuchLine } from '../../../domain/line-pieces';
import type { Answer } from '../../types';
import { loadStudioOrder } from '../order-view';
import type { StudioRequest } from '../types';

/** `GET /orders/{id}/lines/{n}/preview`: the picture of a line as WebP, lines counted from 0 (ruling 60). */
export async function getLinePreview(request: StudioRequest): Promise<Answer> {
  const { database, storage } = request.deps;
  const order = await loadStudioOrder(database, request);
  const { line, url } = lineNamed(order.jobs, request.params['n'] ?? '');
  const artwork = url === null ? null : await artworkNamed(database, order.account_id, url);
  if (artwork === null) throw noPreview(line, 'it has no artwork');
  const reason = whyNot(artwork);
  if (reason !== null) throw noPreview(line, reason);
  const bytes = await storage.readPreview(artwork.storage_key);
  if (bytes === null) throw noPreview(line, 'the artwork store has lost it; open artworkUrl of the job');
  return { file: { contentType: 'image/webp', bytes } };
}

/** @throws ApiError NOT_FOUND where the order has no such line */
function lineNamed(jobs: readonly { imageUrl: string | null }[], given: string): { line: number; url: string | null } {
  const line = /^(0|[1-9]\d{0,3})$/.test(given) ? Number(given) : null;
  if (line === null) throw new ApiError('NOT_FOUND', `there is no such line; the first of an order is ${lineInWords(0)}`);
  const job = jobs[line];
  if (job === undefined) throw new ApiError('NOT_FOUND', noSuchLine(line, jobs.length));
  return { line, url: job.imageUrl };
}

/** In words, why there is no preview; null where there is one. */
function whyNot({ inspection }: SeenArtwork): string | null {
  if (inspection === null) return 'its artwork was not looked at yet; where it has arrived, ask again in a minute';
  return inspection.reason;
}

function noPreview(line: number, reason: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no preview of ${lineInWords(line)}: ${reason}.`);
}
