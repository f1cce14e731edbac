import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileEvent } from './run-files.ts';

/** Tells the nightly run about each file as soon as it ends: a report at the end would be lost with the process. */
export default class FileReporter implements Reporter {
  onTestModuleStart(module: TestModule): void {
    tell({ file: fileOf(module) });
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    // Also those that did not end.
    const failed = tests.filter((test) => !['passed', 'skipped'].includes(test.result().state));
    // A hook of a suite or the file itself can fail without any test.
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    const failures = [
      ...failed.map((test) => ({ test: test.fullName, message: messageOf(test.result().errors) })),
      ...[...module.errors(), ...suites].map((error) => ({ test: '', message: messageOf([error]) })),
    ];
    const skipped = tests.filter((test) => test.result().state === 'skipped').map((test) => test.fullName);
    const seconds = module.diagnostic().duration / 1000;
    tell({ file: fileOf(module), result: { tests: tests.length - skipped.length, seconds, failures, skipped } });
  }
}

const fileOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

/** The difference says what the message shortens, such as the items of an array. */
const messageOf = (errors: readonly { readonly message: string; readonly diff?: string | undefined }[] | undefined) =>
  (errors ?? []).map(({ message, diff = '' }) => stripVTControlCharacters(`${message}\n${diff}`).trim()).join('\n');

function tell(event: FileEvent): void {
  const { NIGHTLY_RESULTS } = process.env;
  if (NIGHTLY_RESULTS !== undefined) appendFileSync(NIGHTLY_RESULTS, `${JSON.stringify(event)}\n`);
}
