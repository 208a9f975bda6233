import { ApiError, type ErrorDetails } from '../errors';
import { ORDERABLE_PRODUCTS } from '../products';
import { sectionOf } from '../basket/materials';
import { oneOf, pathOf, type Line, type LineRefusal, type Place } from '../basket/line';
import { ranked } from '../nearest-ids';
import { LIMITS } from '../limits';

const MAX_ALTERNATIVES = 5;
/** A line is judged again for each id tried; a catalogue may have thousands. */
const MAX_TRIED = 200;

/**
 * Adds to a refusal what would work, so that a client can offer a choice: `details` is `{ line, path, id?, alternatives? }`, where `id` was
 * sent at `path` and each of up to five `alternatives`, the most alike first, has been tried in its place with `accept`, which throws where
 * the line is still refused. Where several places could be changed, the first that has alternatives is named; without any, the field is
 * absent. The message names the same ids (rulings 19 and 42).
 */
export function withAlternatives(refusal: LineRefusal, accept: (line: Line) => void): ApiError {
  const { line } = refusal;
  const [first] = refusal.places;
  for (const place of refusal.places) {
    const alternatives = alternativesAt(line, place, accept);
    if (alternatives.length > 0) return told(refusal, { ...placed(line, place), alternatives }, `; try ${place} ${oneOf(alternatives)}`);
  }
  return told(refusal, placed(line, first));
}

const told = ({ code, message }: LineRefusal, details: ErrorDetails, advice = ''): ApiError =>
  new ApiError(code, `${message}${advice}`, details);

/** What is longer than any id is not sent back. */
function placed(line: Line, place: Place): ErrorDetails {
  const id = sectionOf(line, place) === null ? undefined : sentAt(line, place);
  return { line: line.index, path: pathOf(line, place), ...(id === undefined || id.length > LIMITS.catalogueIdLength ? {} : { id }) };
}

function alternativesAt(line: Line, place: Place, accept: (line: Line) => void): string[] {
  const section = sectionOf(line, place);
  if (section === null) return [];
  const sent = sentAt(line, place) ?? '';
  const others = ranked(sent, line.catalogue.ids(section))
    .filter((id) => id !== sent)
    .slice(0, MAX_TRIED);
  const lean = withoutUnknown(line);
  const found: string[] = [];
  for (const id of others) {
    if (found.length === MAX_ALTERNATIVES) break;
    if (isAccepted(withId(lean, place, id), accept)) found.push(id);
  }
  return found;
}

function isAccepted(line: Line, accept: (line: Line) => void): boolean {
  try {
    accept(line);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Lines may carry thousands of keys that no product knows; they are not to be copied for every id tried. */
function withoutUnknown({ item, ...line }: Line): Line {
  const known = [...new Set([...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => keys))].filter((key) =>
    Object.hasOwn(item.variantSelections, key),
  );
  return {
    ...line,
    item: { ...item, variantSelections: Object.fromEntries(known.map((key) => [key, item.variantSelections[key] ?? ''])) },
  };
}

function withId({ item, ...line }: Line, place: Place, id: string): Line {
  if (place === 'productSlug') return { ...line, item: { ...item, productSlug: id } };
  return { ...line, item: { ...item, variantSelections: { ...item.variantSelections, [place]: id } } };
}

function sentAt({ item }: Line, place: Place): string | undefined {
  if (place === 'productSlug') return item.productSlug;
  return Object.hasOwn(item.variantSelections, place) ? item.variantSelections[place] : undefined;
}
