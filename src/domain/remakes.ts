import type { ValidationIssue } from './errors';
import { formatLine, describeMissingLine, type LineQuantity } from './line-quantities';
import type { BaseStatus } from './order-status';

export const MAX_REMAKES = 50;

export interface RemakeFacts {
  orderNumber: string;
  baseStatus: BaseStatus;
  isErased: boolean;
  /** The original's number if this order is a remake itself, else null. */
  remakeOf: string | null;
  remakes: number;
}

/** Returns the reason why the order cannot be remade, or null (ruling 57). */
export function remakeRefusal({ orderNumber, baseStatus, isErased, remakeOf, remakes }: RemakeFacts): string | null {
  if (remakeOf !== null) return `${orderNumber} is itself a remake; remake ${remakeOf} again`;
  if (isErased) return `the artwork and the address of ${orderNumber} have been erased`;
  if (baseStatus === 'cancelled') return `${orderNumber} is cancelled`;
  if (remakes >= MAX_REMAKES) return `${orderNumber} has been remade ${remakes} times, which is the maximum`;
  return null;
}

/** The reason why the artwork of a remake cannot be rejected: clients do not see remakes. */
export const remadeArtworkRefusal = (original: string): string =>
  `this order is a remake and uses the artwork of ${original}; reject the artwork of ${original}, and remake it again once the client has replaced it`;

/** The reason why a remake cannot be changed: its address is chosen when it is made. */
export const remadeChangeRefusal = (original: string): string =>
  `this order is a remake; cancel it, and remake ${original} again with the other address`;

/** Issues of a remake's lines: an unknown line, more pieces than ordered, or a line named twice. */
export function remadeLineIssues(lines: readonly LineQuantity[], ordered: readonly { quantity: number }[]): ValidationIssue[] {
  return lines.flatMap(({ line, quantity }, index) => {
    const path = `lines.${index}`;
    const orderedQuantity = ordered[line]?.quantity;
    if (orderedQuantity === undefined)
      return [{ path: `${path}.line`, message: `must be a line of the order: ${describeMissingLine(line, ordered.length)}` }];
    if (lines.findIndex((other) => other.line === line) < index)
      return [{ path: `${path}.line`, message: `${formatLine(line)} is repeated; list each line once` }];
    if (quantity <= orderedQuantity) return [];
    return [{ path: `${path}.quantity`, message: `must be at most ${orderedQuantity}, the ordered quantity of ${formatLine(line)}` }];
  });
}
