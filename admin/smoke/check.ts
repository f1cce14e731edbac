import type { SmokeTarget } from './target.ts';

/** What a check has shown. */
export type Outcome =
  | { readonly status: 'proved'; readonly detail: string }
  /** This target cannot show it, or only with an option. */
  | { readonly status: 'not provable'; readonly detail: string }
  /** The detail says what was wrong and what to do. */
  | { readonly status: 'failed'; readonly detail: string };

export interface Check {
  readonly id: string;
  /** The assumption, as a sentence. */
  readonly assumption: string;
  run(target: SmokeTarget): Promise<Outcome>;
}

export const proved = (detail: string): Outcome => ({ status: 'proved', detail });
export const notProvable = (detail: string): Outcome => ({ status: 'not provable', detail });
export const failed = (problem: string, advice: string): Outcome => ({
  status: 'failed',
  detail: `${problem} ${advice}`,
});

/** Calls `isTrue` every second until it holds. Returns the seconds that it took; undefined if it never did. */
export async function secondsUntil(
  isTrue: () => Promise<boolean>,
  patienceSeconds: number,
): Promise<number | undefined> {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1000);
  do {
    if (await isTrue()) return seconds();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  } while (seconds() < patienceSeconds);
  return undefined;
}
