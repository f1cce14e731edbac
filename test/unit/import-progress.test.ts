import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Screen, showProgress } from '../../admin/transfer/progress.ts';

function given(isTTY: boolean, nowMs = () => 0) {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
  const screen: Screen = Object.assign(stream, { isTTY });
  return { progress: showProgress(screen, nowMs), written: () => texts.join('') };
}

const counts = (read: number, rejected = 0) => ({ read, created: read, updated: 0, unchanged: 0, rejected });
const clearToTheEnd = '\u001b[0J';

it('import progress on a terminal is one bar below the rejected rows, cleared at the end', () => {
  const { progress, written } = given(true);
  progress.batch({ counts: counts(250), rejected: [], share: 0.5 });
  expect(written()).toContain(`[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %  250 rows`);
  progress.batch({ counts: counts(500, 1), rejected: [{ line: 300, reason: 'title is missing.' }], share: 1 });
  progress.end();
  expect(written()).toMatch(/line 300: title is missing\.\n.*\[#{30}\] 100 % {2}500 rows, 1 rejected/);
  expect(written().endsWith(clearToTheEnd)).toBe(true);
});

it('import progress of stdin on a terminal has no bar, because the size is unknown', () => {
  const { progress, written } = given(true);
  progress.batch({ counts: counts(250), rejected: [], share: undefined });
  progress.end();
  expect(written()).toContain('250 rows');
  expect(written()).not.toContain('%');
});

it('import progress without a terminal is a plain line every 5,000 rows', () => {
  const { progress, written } = given(false);
  for (let read = 1_000; read <= 11_000; read += 1_000) {
    progress.batch({ counts: counts(read), rejected: [], share: undefined });
  }
  progress.end();
  expect(written()).toBe('5000 rows\n10000 rows\n');
});

it.each([true, false])('import progress reports the first 20 rejected rows only (terminal: %s)', (isTTY) => {
  const { progress, written } = given(isTTY);
  const rejected = Array.from({ length: 15 }, (_, line) => ({ line, reason: 'x is missing.' }));
  for (const read of [15, 30, 45]) progress.batch({ counts: counts(read, read), rejected, share: undefined });
  progress.end();
  expect(written().match(/x is missing/g)).toHaveLength(20);
  expect(written().match(/Further rejected rows are only in the file\./g)).toHaveLength(1);
});

it.each([true, false])('import progress prints no control characters of the file (terminal: %s)', (isTTY) => {
  const { progress, written } = given(isTTY);
  progress.batch({ counts: counts(1, 1), rejected: [{ line: 2, reason: 'no "\u001b[2J\u0007"' }], share: undefined });
  progress.end();
  expect(written()).toContain('line 2: no "\\x1b[2J\\x07"');
});

it.each([true, false])('import progress has the rate and the remaining time (terminal: %s)', (isTTY) => {
  let nowMs = 0;
  const { progress, written } = given(isTTY, () => nowMs);
  nowMs = 60_000;
  progress.batch({ counts: counts(5_000), rejected: [], share: 0.25 });
  nowMs = 120_000;
  progress.batch({ counts: counts(10_000), rejected: [], share: 0.98 });
  progress.end();
  expect(written()).toContain('5000 rows, 5000 a minute, 3 min left');
  expect(written()).toContain('10000 rows, 5000 a minute, 3 s left');
});
