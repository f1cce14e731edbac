import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RejectedFile } from '../../admin/transfer/rejected-file.ts';

let folder: string;
let name: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateline-rejected-'));
  name = join(folder, 'rows.rejected.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

function givenRows(lines: readonly number[]): RejectedFile {
  const file = new RejectedFile(name);
  file.append(lines.map((line) => ({ line, reason: 'No.' })));
  return file;
}
const linesIn = (): unknown[] =>
  readFileSync(name, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text).line);

it('RejectedFile removes the rows after the checkpoint, because they are imported again', () => {
  const { bytes } = givenRows([1, 2]);
  givenRows([3]);
  const resumed = new RejectedFile(name);
  resumed.startAt(bytes);
  resumed.append([{ line: 3, reason: 'Still no.' }]);
  expect(linesIn()).toEqual([1, 2, 3]);
});

it('RejectedFile continues at the end of a file that was shortened', () => {
  const { bytes } = givenRows([1, 2]);
  truncateSync(name, bytes / 2);
  const resumed = new RejectedFile(name);
  resumed.startAt(bytes);
  resumed.append([{ line: 3, reason: 'No.' }]);
  expect(linesIn()).toEqual([1, 3]);
  expect(resumed.bytes).toBe(readFileSync(name).length);
});

it('RejectedFile creates a file that was removed', () => {
  const resumed = new RejectedFile(name);
  resumed.startAt(100);
  resumed.append([{ line: 3, reason: 'No.' }]);
  expect(linesIn()).toEqual([3]);
  expect(resumed.bytes).toBe(readFileSync(name).length);
});
