import { createHash } from 'node:crypto';
import { normalizeBarcode } from '../../domain/scans/scan.ts';

/** The hash by which a gate recognises a barcode that it does not know. */
export function hashBarcode(barcode: string): string {
  return createHash('sha256').update(normalizeBarcode(barcode)).digest('hex');
}
