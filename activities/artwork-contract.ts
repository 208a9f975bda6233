import type { InspectionState } from '../src/domain/inspection';

export interface ArtworkActivities {
  /**
   * Looks at the bytes of an upload, stores what they are with a preview, and tells its open orders. `replaced`: other bytes came
   * meanwhile, so look again. `gone`: there is nothing to look at any more.
   */
  inspectArtwork(input: { uploadId: string }): Promise<InspectionState | 'replaced' | 'gone'>;
}
