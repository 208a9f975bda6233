import { ARTWORK_FITS, readArtworkFit, type ArtworkFit } from '../artwork-fit';
import { artworkRefusal, firstUnprintedLine } from './artwork-replaced';
import { ID_PREFIXES, LINE_FIELD, NEW_ID, singleLineText, withExclusion } from './fields';
import { UNUSED_ID, type MessageKind, type RecordNotes } from './kind';

/** The studio's choice for a picture whose shape differs from the print of a line, counted from 0. */
export interface ArtworkFitted extends RecordNotes {
  type: 'artwork_fitted';
  fitId: string;
  line: number;
  fit: ArtworkFit;
  /** The upload that the person saw. Absent accepts any. */
  uploadId?: string | null;
}

const FIT_FIELD = withExclusion(singleLineText(10), (value) => readArtworkFit(value) === null, `must be ${ARTWORK_FITS.join(' or ')}`);

export const FIT_FIELDS = {
  fitId: NEW_ID,
  fit: FIT_FIELD,
  uploadId: { ...singleLineText(100), optional: true, isOmittedIfAbsent: true },
} as const;

/** The database stores the choice with the line, so the facts stay the same. */
export const artworkFitted: MessageKind<ArtworkFitted> = {
  fields: { ...FIT_FIELDS, line: LINE_FIELD },
  key: ({ fitId }) => ID_PREFIXES.fit + fitId,
  describe: ({ line, fit }) => `artwork of line ${line}: ${fit}`,
  limit: 'choices of how artwork fits',
  example: (facts) => ({ type: 'artwork_fitted', fitId: UNUSED_ID, line: firstUnprintedLine(facts), fit: 'fill' }),
  alwaysChanges: true,
  uncompared: ['uploadId'],
  decide: (facts, { line }) => artworkRefusal(facts, line, 'fitted') ?? { facts },
};
