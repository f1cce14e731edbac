import * as v from 'valibot';

const Cell = v.union([v.string(), v.number(), v.null()]);

/** A target of the project, and whether this run met it. */
const Target = v.object({
  name: v.string(),
  value: v.number(),
  target: v.string(),
  met: v.boolean(),
  /** For a missed target: the reason, and what would be needed to meet it. */
  why: v.optional(v.string()),
});
export type Target = v.InferOutput<typeof Target>;

const FigureTable = v.object({
  title: v.string(),
  columns: v.array(v.string()),
  rows: v.array(v.array(Cell)),
});
export type FigureTable = v.InferOutput<typeof FigureTable>;

/** The result of one part of the benchmark. */
const Findings = v.object({
  /** The sizes it ran with, and explanations of the tables. */
  notes: v.array(v.string()),
  tables: v.array(FigureTable),
  targets: v.array(Target),
});
export type Findings = v.InferOutput<typeof Findings>;

const Run = v.object({ at: v.string(), node: v.string(), cores: v.number(), seconds: v.number(), ...Findings.entries });

/** The file of results: the last run of every part. */
export const Results = v.object({
  targets: v.array(Target),
  parts: v.record(v.string(), Run),
});
export type Results = v.InferOutput<typeof Results>;

export interface Limit {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly why?: string;
}

/** A target with an upper limit. */
export function atMost({ name, value, limit, why }: Limit): Target {
  return target({ name, value, target: `≤ ${limit}`, met: value <= limit }, why);
}

/** A target with a lower limit. */
export function atLeast({ name, value, limit, why }: Limit): Target {
  return target({ name, value, target: `≥ ${limit}`, met: value >= limit }, why);
}

function target(found: Target, why: string | undefined): Target {
  const value = rounded(found.value);
  return found.met || why === undefined ? { ...found, value } : { ...found, value, why };
}

/** Three significant digits: a measurement is not more precise. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
