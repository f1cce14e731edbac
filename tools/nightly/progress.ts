import { missing, type Report, type UnitResult, wholeProcess, writeReport } from './report.ts';
import type { CommandEnd } from './run-command.ts';
import type { Selection } from './shards.ts';
import { type Suite, unitNames } from './suites.ts';

export interface Nightly {
  /** What this run is asked for. */
  readonly selections: readonly Selection[];
  readonly about: Omit<Report, 'suites'>;
  /** Reports of earlier runs. What passed on this commit is not run again. */
  readonly since: readonly Report[];
  readonly folder: string;
  /** The command of a suite's script with these arguments. */
  commandOf(suite: Suite, args: readonly string[]): readonly string[];
  /** Ends the run. What has not ended is missing in the report. */
  readonly signal: AbortSignal;
  print(line: string): void;
}

/** What is known of a run so far. The report is written after each result. */
export class Progress {
  readonly nightly: Nightly;
  readonly #results = new Map<string, Map<string, UnitResult>>();
  readonly #times = new Map<string, { seconds: number; cpuSeconds: number }>();

  constructor(nightly: Nightly) {
    this.nightly = nightly;
    const { about, since, selections } = nightly;
    const earlier = since.filter(({ commit, changed }) => commit === about.commit && !changed && !about.changed);
    for (const { suite, units } of selections) {
      const same = earlier.flatMap(({ suites }) => suites.filter(({ name }) => name === suite.name));
      // Any of its files may be to blame for a process that failed.
      const blameless = same.filter((result) => !result.units.some(({ name }) => name === wholeProcess));
      const passed = blameless.flatMap((result) => result.units.filter(({ outcome }) => outcome === 'passed'));
      const known = new Map(passed.map((result) => [result.name, result]));
      // What the suite took on this commit, in all its runs.
      for (const took of same) this.#add(suite, took);
      this.#results.set(suite.name, new Map(units.map((unit) => [unit, known.get(unit) ?? missing(unit)])));
    }
    this.#save();
  }

  isMissing(suite: Suite, unit: string): boolean {
    return this.#results.get(suite.name)?.get(unit)?.outcome === 'missing';
  }

  record(suite: Suite, result: UnitResult): void {
    this.#results.get(suite.name)?.set(result.name, result);
    this.nightly.print(`${result.outcome.padEnd(7)} ${suite.name} ${result.name} ${Math.round(result.seconds)} s`);
    this.#save();
  }

  spent(suite: Suite, end: CommandEnd): void {
    this.#add(suite, end);
    this.#save();
  }

  #add(suite: Suite, { seconds, cpuSeconds }: Pick<CommandEnd, 'seconds' | 'cpuSeconds'>): void {
    const before = this.#times.get(suite.name) ?? { seconds: 0, cpuSeconds: 0 };
    this.#times.set(suite.name, {
      seconds: before.seconds + seconds,
      cpuSeconds: before.cpuSeconds + cpuSeconds,
    });
  }

  report(): Report {
    const suites = this.nightly.selections.map(({ suite, units }) => ({
      name: suite.name,
      ...(this.#times.get(suite.name) ?? { seconds: 0, cpuSeconds: 0 }),
      units: [...(this.#results.get(suite.name)?.values() ?? [])],
      notSelected: unitNames(suite).length - units.length,
    }));
    return { ...this.nightly.about, suites };
  }

  #save(): void {
    writeReport(this.nightly.folder, this.report());
  }
}
