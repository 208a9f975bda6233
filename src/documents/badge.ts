import type { BadgeRow } from '../db/repositories/badges';
import type { PdfContent } from './pdf-renderer';

/** A card with the person's name, which a station scans. */
export const createBadgeContent = ({ name, code }: Pick<BadgeRow, 'name' | 'code'>): PdfContent => ({
  template: 'badge',
  data: { title: `Badge of ${name}`, footer: '', isTest: false, name, code },
  barcodes: { badge: code },
});
