import { ApiError, type ErrorDetails } from '../errors';
import { ORDERABLE_PRODUCTS } from '../products';
import { sectionOf } from '../basket/materials';
import { joinWithOr, fieldPath, type Line, type LineRefusal, type LineField } from '../basket/line';
import { rankBySimilarity } from '../nearest-ids';
import { LIMITS } from '../limits';

const MAX_ALTERNATIVES = 5;
/** How many ids are tried, because each one checks the line again and a catalogue may have thousands. */
const MAX_TRIED = 200;

/**
 * Adds alternatives to a refusal, so that a client can offer a choice. `details` is `{ line, path, id?, alternatives? }`: the client sent
 * `id` at `path`. `check` throws if a line is refused. It has accepted the line with each of the up to five `alternatives`, which are
 * sorted by similarity. If several fields could change, the first one with alternatives is named. Without any, `alternatives` is absent.
 * The message names the same ids.
 */
export function withAlternatives(refusal: LineRefusal, check: (line: Line) => void): ApiError {
  const { line } = refusal;
  const [first] = refusal.fields;
  for (const field of refusal.fields) {
    const alternatives = findAlternatives(line, field, check);
    if (alternatives.length > 0)
      return toApiError(refusal, { ...locationDetails(line, field), alternatives }, `; try ${field} ${joinWithOr(alternatives)}`);
  }
  return toApiError(refusal, locationDetails(line, first));
}

const toApiError = ({ code, message }: LineRefusal, details: ErrorDetails, advice = ''): ApiError =>
  new ApiError(code, `${message}${advice}`, details);

/** Omits an id that is longer than any in the catalogue. */
function locationDetails(line: Line, field: LineField): ErrorDetails {
  const id = sectionOf(line, field) === null ? undefined : sentValue(line, field);
  return { line: line.index, path: fieldPath(line, field), ...(id === undefined || id.length > LIMITS.catalogueIdLength ? {} : { id }) };
}

function findAlternatives(line: Line, field: LineField, check: (line: Line) => void): string[] {
  const section = sectionOf(line, field);
  if (section === null) return [];
  const sent = sentValue(line, field) ?? '';
  const candidates = rankBySimilarity(sent, line.catalogue.ids(section))
    .filter((id) => id !== sent)
    .slice(0, MAX_TRIED);
  const trimmed = withoutUnknownKeys(line);
  const accepted: string[] = [];
  for (const id of candidates) {
    if (accepted.length === MAX_ALTERNATIVES) break;
    if (isAccepted(withId(trimmed, field, id), check)) accepted.push(id);
  }
  return accepted;
}

function isAccepted(line: Line, check: (line: Line) => void): boolean {
  try {
    check(line);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Removes unknown keys, because a line may have thousands of them and is copied for every tried id. */
function withoutUnknownKeys({ item, ...line }: Line): Line {
  const knownKeys = [...new Set([...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => keys))].filter((key) =>
    Object.hasOwn(item.variantSelections, key),
  );
  return {
    ...line,
    item: { ...item, variantSelections: Object.fromEntries(knownKeys.map((key) => [key, item.variantSelections[key] ?? ''])) },
  };
}

function withId({ item, ...line }: Line, field: LineField, id: string): Line {
  if (field === 'productSlug') return { ...line, item: { ...item, productSlug: id } };
  return { ...line, item: { ...item, variantSelections: { ...item.variantSelections, [field]: id } } };
}

function sentValue({ item }: Line, field: LineField): string | undefined {
  if (field === 'productSlug') return item.productSlug;
  return Object.hasOwn(item.variantSelections, field) ? item.variantSelections[field] : undefined;
}
