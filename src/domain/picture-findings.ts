import { lineInWords } from './line-pieces';
import type { AttentionCode } from './attention';
import type { Inspected } from './inspection';
import { pictureSize, tooCoarse } from './resolution';

/** What a person has to see to. `subject` names the occurrence: the upload, or the upload and the line. */
interface Finding {
  code: Extract<AttentionCode, 'ARTWORK_UNREADABLE' | 'ARTWORK_LOW_RESOLUTION'>;
  subject: string;
  message: string;
}

interface Job {
  productSlug: string;
  selections: Record<string, string>;
  imageUrl: string | null;
}

/**
 * What is wrong with an upload as the artwork of an order's lines, `jobs` in their order (ruling 60). A picture that cannot be decoded here
 * is nothing wrong, and its size is judged like any other's.
 */
export function pictureFindings(
  upload: { id: string; url: string },
  seen: Pick<Inspected, 'state' | 'reason' | 'widthPx' | 'heightPx'>,
  jobs: readonly Job[],
): Finding[] {
  const lines = jobs.flatMap((job, index) => (job.imageUrl === upload.url ? [{ job, line: index }] : []));
  if (lines.length === 0) return [];
  if (seen.state === 'unreadable')
    return [
      unreadable(
        upload.id,
        seen.reason,
        lines.map(({ line }) => line),
      ),
    ];
  const { widthPx, heightPx } = seen;
  if (widthPx === null || heightPx === null) return [];
  return lines.flatMap(({ job, line }): Finding[] => {
    const printed = pictureSize(job);
    const message = printed === null ? null : tooCoarse(line, { widthPx, heightPx }, printed);
    return message === null ? [] : [{ code: 'ARTWORK_LOW_RESOLUTION', subject: `${upload.id}/${line}`, message }];
  });
}

function unreadable(uploadId: string, reason: string | null, lines: number[]): Finding {
  const where = lines.map(lineInWords).join(', ');
  const message = `${where}: the artwork ${uploadId} cannot be printed: ${reason}; ask the account for another picture and a new order`;
  return { code: 'ARTWORK_UNREADABLE', subject: uploadId, message };
}
