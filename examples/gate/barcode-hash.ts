import { createHash } from 'node:crypto';

/** The same normalisation as the service: no white space or control characters around it, and upper case. */
export function hashOf(barcode: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: scanners send control characters after a barcode.
  const normal = barcode.replaceAll(/^[\s\u0000-\u001f\u007f]+|[\s\u0000-\u001f\u007f]+$/g, '').toUpperCase();
  return createHash('sha256').update(normal).digest('hex');
}
