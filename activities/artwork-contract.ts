import type { InspectionState } from '../src/domain/inspection';

export interface ArtworkActivities {
  /**
   * Inspects the file of an upload, stores the result with a preview, and updates the open orders that use it. Returns `replaced` if the
   * file was replaced meanwhile and must be inspected again, and `gone` if the upload no longer exists.
   */
  inspectArtwork(input: { uploadId: string }): Promise<InspectionState | 'replaced' | 'gone'>;
}
