/** `2026-10-31T13:00:00Z`: whole seconds, without the fraction that JavaScript writes. */
export function isoTimestamp(unix: number): string {
  return new Date(unix * 1000).toISOString().replace('.000Z', 'Z');
}
