export interface EndingMember {
  readonly expiresUnix: number | null;
  readonly autoRenew?: boolean | undefined;
  /** A renewal that was announced late or dearer is charged after the end: the membership goes on until then. */
  readonly goesOnUntilUnix?: number | undefined;
}

/** When a membership ends: with its last term, or when its renewal is charged later than that, while it renews itself. Null: never. */
export function endUnixOf({ expiresUnix, autoRenew = false, goesOnUntilUnix = 0 }: EndingMember): number | null {
  return expiresUnix === null || !autoRenew ? expiresUnix : Math.max(expiresUnix, goesOnUntilUnix);
}

/** Whether a membership has not ended at a time. */
export function isCurrentAt(member: EndingMember, atUnix: number): boolean {
  const endUnix = endUnixOf(member);
  return endUnix === null || endUnix > atUnix;
}
