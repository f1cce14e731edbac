import { answeringMemoryMb } from '../../lib/memory-sizes.ts';
import { assumed, prices } from '../prices.ts';
import type { FigureTable } from '../report/figures.ts';

/** What the time of a function consists of: its own CPU time on a whole core, and the round trips that it waits for. */
export interface FunctionTime {
  readonly name: string;
  readonly cpuMs: number;
  readonly depth: number;
  /** The price of a million requests without that of the function's time. */
  readonly otherDollars: number;
}

/** Lambda gives a function a share of a core that grows with its memory: a whole one at 1,769 MB. A request uses one core. */
const wholeCoreMb = 1_769;
/** 256 MB is the least in which Node, the SDK and a page of rows have room. */
const sizes = [256, 512, 1_024, wholeCoreMb] as const;

const msAt = ({ cpuMs, depth }: FunctionTime, mb: number): number =>
  depth * assumed.roundTripMs + (cpuMs * wholeCoreMb) / mb;

const dollarsAt = (one: FunctionTime, mb: number): number =>
  (msAt(one, mb) / 1000) * (mb / 1024) * prices.lambdaGbSecond * 1_000_000;

const lowest = (of: (mb: number) => number): number => sizes.reduce((best, mb) => (of(mb) < of(best) ? mb : best));

/**
 * CPU time costs the same at every size, and time spent waiting costs more at a larger one. The smallest size is therefore
 * always the cheapest and a whole core the fastest. The size with the least product of the price of the whole request and its
 * time is chosen: a tenth of the time is worth a tenth of the price.
 */
export function memorySizes(functions: readonly FunctionTime[]): FigureTable {
  return {
    title: 'Memory of the functions that answer requests',
    columns: [
      'operation',
      ...sizes.map((mb) => `ms at ${mb} MB`),
      ...sizes.map((mb) => `$/million at ${mb} MB`),
      'cheapest MB',
      'fastest MB',
      'least price × time, MB',
      'deployed MB',
    ],
    rows: functions.map((one) => [
      one.name,
      ...sizes.map((mb) => msAt(one, mb)),
      ...sizes.map((mb) => dollarsAt(one, mb)),
      lowest((mb) => dollarsAt(one, mb)),
      lowest((mb) => msAt(one, mb)),
      lowest((mb) => (one.otherDollars + dollarsAt(one, mb)) * msAt(one, mb)),
      answeringMemoryMb,
    ]),
  };
}
