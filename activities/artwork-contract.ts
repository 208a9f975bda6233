import type { InspectionState } from '../src/domain/inspection';

export interface ArtworkActivities {
  /**
   * Inspects the file of an upload, stores the result with a preview and updates its open orders. Returns `replaced` if the file changed
   * meanwhile and must be inspected again, and `gone` if the upload no longer exists.
   */
  inspectArtwork(input: { uploadId: string }): Promise<InspectionState | 'replaced' | 'gone'>;
}
