import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { failureOf, repeated, skippedBecause, titlePattern } from './judge.ts';
import type { Progress } from './progress.ts';
import { missing, type UnitResult, wholeProcess } from './report.ts';
import type { CommandEnd } from './run-command.ts';
import { start } from './start.ts';
import type { Suite } from './suites.ts';

const reporter = './tools/nightly/file-reporter.ts';

/** What vitest says about a test file, and a line of the file that `NIGHTLY_RESULTS` names. */
const FileEvent = v.object({
  file: v.string(),
  /** Absent when the file begins. */
  result: v.optional(
    v.object({
      tests: v.number(),
      seconds: v.number(),
      failures: v.array(v.object({ test: v.string(), message: v.string() })),
      skipped: v.array(v.string()),
    }),
  ),
});
export type FileEvent = v.InferOutput<typeof FileEvent>;

/** One process runs the files. If it is killed, the next one goes on with the files that did not begin. */
export async function runFiles(progress: Progress, suite: Suite, files: readonly string[]): Promise<void> {
  const { signal } = progress.nightly;
  for (let left = files; left.length > 0 && !signal.aborted; ) {
    const run = new FilesRun(progress, suite);
    const end = await run.run(left);
    if (signal.aborted) return;
    left = run.judgeRest(left, end);
  }
}

/** One process of vitest, and what it said about its files. */
class FilesRun {
  readonly #progress: Progress;
  readonly #suite: Suite;
  readonly #events: string;
  readonly #begun = new Set<string>();
  readonly #ended = new Map<string, UnitResult>();

  constructor(progress: Progress, suite: Suite) {
    this.#progress = progress;
    this.#suite = suite;
    this.#events = join(progress.nightly.folder, `${suite.name}.events`);
  }

  async run(files: readonly string[]): Promise<CommandEnd> {
    rmSync(this.#events, { force: true });
    const reading = setInterval(() => this.#read(), 1_000);
    const args = [...files, '--reporter=default', `--reporter=${reporter}`];
    const end = await start(this.#progress.nightly, this.#suite, { args, unit: 'files', events: this.#events });
    clearInterval(reading);
    this.#read();
    this.#progress.spent(this.#suite, end);
    return end;
  }

  #read(): void {
    for (const { file, result } of readEvents(this.#events)) {
      this.#begun.add(file);
      if (result !== undefined && !this.#ended.has(file)) this.#end(file, result);
    }
  }

  #end(file: string, result: NonNullable<FileEvent['result']>): void {
    const failures = result.failures.map((failure) => ({
      ...failure,
      repeat: repeated(this.#progress.nightly, this.#suite, [file, ...titlePattern(failure.test)]),
    }));
    const good = result.tests === 0 ? 'skipped' : 'passed';
    const ended = { ...result, name: file, outcome: failures.length === 0 ? good : 'failed', failures } as const;
    this.#ended.set(file, ended);
    this.#progress.record(this.#suite, ended);
  }

  /** Records what became of the files that did not end. Returns those that another process should run. */
  judgeRest(files: readonly string[], end: CommandEnd): readonly string[] {
    const rest = files.filter((file) => !this.#ended.has(file));
    const reason = skippedBecause(end);
    const record = (name: string, outcome: UnitResult['outcome'], args: readonly string[]) => {
      const failures = [failureOf(this.#progress.nightly, this.#suite, args, end)];
      this.#progress.record(this.#suite, { ...missing(name), outcome, failures });
    };
    if (this.#begun.size === 0) {
      for (const name of rest)
        if (reason === undefined) record(name, 'failed', [name]);
        else this.#progress.record(this.#suite, { ...missing(name), outcome: 'skipped', skipped: [reason] });
      return [];
    }
    for (const file of rest) if (this.#begun.has(file)) record(file, 'killed', [file]);
    // For example an error that no test caught.
    const isBlamed = [...this.#ended.values()].some(({ outcome }) => outcome === 'failed');
    if (rest.length === 0 && end.status !== 0 && !isBlamed) record(wholeProcess, 'failed', files);
    return rest.filter((file) => !this.#begun.has(file));
  }
}

function readEvents(file: string): readonly FileEvent[] {
  if (!existsSync(file)) return [];
  // The last line may be half written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => v.parse(FileEvent, JSON.parse(line)));
}
