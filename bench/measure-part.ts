import type { Findings } from './report/figures.ts';

export interface BenchOptions {
  /** The number of members, customers, orders and scans of the largest organisation. */
  readonly largest: number;
  readonly progress: (text: string) => void;
}

export type MeasurePart = (options: BenchOptions) => Promise<Findings>;
