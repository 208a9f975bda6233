import { Context } from '@temporalio/activity';
import { inspectUpload, type InspectionDeps, type InspectionEnd } from '../src/artwork/inspections';

const HEARTBEAT_MS = 5_000;

/** Beats while it works, so that it is begun elsewhere when this process dies, and ends at once when it is told to stop. */
export async function inspectArtwork(deps: InspectionDeps, uploadId: string): Promise<InspectionEnd> {
  const { heartbeat, cancellationSignal } = Context.current();
  const timer = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await inspectUpload(deps, uploadId, cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
