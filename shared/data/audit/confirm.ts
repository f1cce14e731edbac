import { setTimeout as sleep } from 'node:timers/promises';
import { type Finding, inBoth } from '../../domain/audit/finding.ts';

/** How often the audit looks again, and how it waits between two looks. */
export interface Confirmation {
  readonly looks: number;
  wait(): Promise<void>;
}

/** Three looks, a second apart: concurrent writes make a single look find differences that do not exist. */
export const threeLooks: Confirmation = { looks: 3, wait: () => sleep(1_000) };

/**
 * Returns what every one of several looks finds. Writes between two reads make a single look find differences that do not
 * exist; they are gone, or different, at the next look. A look that writes interrupted returns undefined and is repeated; if
 * none is left, the part is skipped: the next audit finds it quiet.
 */
export async function confirmed(
  look: () => Promise<readonly Finding[] | undefined>,
  { looks, wait }: Confirmation,
): Promise<readonly Finding[]> {
  let findings: readonly Finding[] | undefined;
  for (let made = 0; made < looks; made += 1) {
    if (made > 0) await wait();
    const found = await look();
    if (found === undefined) continue;
    findings = findings === undefined ? found : inBoth(findings, found);
    if (findings.length === 0) return [];
    if (made === looks - 1) return findings;
  }
  return [];
}
