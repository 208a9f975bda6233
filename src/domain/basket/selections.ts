import { validationError, type ValidationIssue } from '../errors';
import type { IdKey, VariantKey } from './variant-keys';
import { checkAll } from './basket-refusal';
import { joinWithOr, quoted, selectionPath, type Line } from './line';
import { checkId } from './materials';

const WHOLE_MM = /^[1-9][0-9]{0,4}$/;
const WHOLE_MM_OR_ZERO = /^(0|[1-9][0-9]{0,4})$/;

/**
 * Reads a line's variantSelections and collects all issues of format and combination. A missing or wrong required value reads as 0 or '',
 * so call `assertValid` before using any value. It throws VALIDATION_ERROR with all issues, including unknown ids (specification "Variant
 * selections").
 */
export class Selections {
  private readonly issues: ValidationIssue[] = [];
  private readonly idChecks: (() => void)[] = [];
  /** Keys whose values are not strings. They are reported as issues. */
  private readonly unreadable = new Set<VariantKey>();
  constructor(private readonly line: Line) {}

  /**
   * Returns the value as sent. Undefined if the line has no own key of this name (`constructor` is not one) or the value is not a string.
   */
  raw(key: VariantKey): string | undefined {
    const { variantSelections } = this.line.item;
    const value: unknown = Object.hasOwn(variantSelections, key) ? variantSelections[key] : undefined;
    if (typeof value === 'string') return value;
    if (value !== undefined) this.unreadable.add(key);
    return undefined;
  }

  has(key: VariantKey): boolean {
    return this.raw(key) !== undefined;
  }

  isTrue(key: VariantKey): boolean {
    return this.raw(key) === 'true';
  }

  issue(key: VariantKey, text: string): void {
    const reference = this.line.item.externalReference;
    const message = reference ? `${text} (line ${quoted(reference)})` : text;
    this.issues.push({ path: selectionPath(this.line, key), message });
  }

  assertValid(): void {
    for (const key of this.unreadable) this.issue(key, 'must be a string');
    if (this.issues.length === 0) return;
    const refuse = (): never => {
      throw validationError(this.issues);
    };
    checkAll(refuse, ...this.idChecks);
  }

  /** Reads an optional id. It may be absent but not empty. */
  id(key: IdKey): string | undefined {
    const value = this.raw(key);
    if (value === '') this.issue(key, 'must not be empty; leave the key out or send an id from the catalogue');
    else if (value !== undefined) this.idChecks.push(() => checkId(this.line, key, value));
    return value;
  }

  requiredId(key: IdKey, source: string): string {
    const value = this.raw(key);
    if (value) this.idChecks.push(() => checkId(this.line, key, value));
    else this.issue(key, `is required; send ${source}`);
    return value ?? '';
  }

  /** Reads any text, even an empty one. Only a missing key is an issue. */
  requiredText(key: VariantKey, advice: string): string {
    if (!this.has(key)) this.issue(key, `is required; send ${advice}`);
    return this.raw(key) ?? '';
  }

  requiredMm(key: VariantKey): number {
    if (!this.has(key)) this.issue(key, 'is required; send whole millimetres as a string, such as "420"');
    return this.mm(key) ?? 0;
  }

  mm(key: VariantKey): number | undefined {
    return this.number(key, WHOLE_MM, 'must be whole millimetres as a string from "1" to "99999"');
  }

  /** Whole millimeters from 0 to 99999: a side of a mat, a border. */
  sideMm(key: VariantKey): number | undefined {
    return this.number(key, WHOLE_MM_OR_ZERO, 'must be whole millimetres as a string from "0" to "99999"');
  }

  oneOf(key: VariantKey, allowed: readonly string[]): string | undefined {
    const value = this.raw(key);
    if (value === undefined || allowed.includes(value)) return value;
    this.issue(key, `must be ${joinWithOr(allowed.map((word) => `"${word}"`))}, not ${quoted(value)}`);
    return undefined;
  }

  private number(key: VariantKey, pattern: RegExp, text: string): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (pattern.test(value)) return Number(value);
    this.issue(key, `${text}, not ${quoted(value)}`);
    return undefined;
  }
}

export interface ArtworkSize {
  widthMm: number;
  heightMm: number;
}

export function readArtworkSize(selections: Selections): ArtworkSize {
  return { widthMm: selections.requiredMm('artworkWidthMm'), heightMm: selections.requiredMm('artworkHeightMm') };
}
