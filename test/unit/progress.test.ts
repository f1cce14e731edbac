import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Screen, showProgress } from '../../admin/output/progress.ts';
import { firstReasons } from '../../admin/transfer/rejected-file.ts';

function given(isTTY: boolean, options: { stepsPerLine: number; showsRate?: boolean } = { stepsPerLine: 5_000 }) {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
  const screen: Screen = Object.assign(stream, { isTTY });
  const clock = { nowMs: 0 };
  const progress = showProgress(screen, { ...options, nowMs: () => clock.nowMs });
  return { progress, clock, written: () => texts.join('') };
}

it('progress without a terminal is a line every 5,000 rows, with the rate and, if known, the remaining time', () => {
  const { progress, clock, written } = given(false);
  for (let count = 1; count <= 11_000; count += 1) {
    clock.nowMs = count * 12;
    progress.update(`${count} rows`, { count, share: count < 8_000 ? undefined : count / 20_000 });
  }
  progress.end();
  expect(written()).toBe('5000 rows, 5000 a minute\n10000 rows, 5000 a minute, 2 min left\n');
});

it('progress on a terminal is a bar with the rate and the remaining time below the notes, cleared at the end', () => {
  const { progress, clock, written } = given(true);
  progress.update('0 rows', { count: 0, share: 0 });
  clock.nowMs = 30_000;
  progress.update('5000 rows', { count: 5_000, share: 0.5 });
  expect(written()).toContain(`[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %  5000 rows, 10000 a minute, 30 s left`);
  progress.note('line 300: title is missing.');
  progress.update('6000 rows', { count: 6_000, share: 0.6 });
  progress.end();
  expect(written()).toMatch(/line 300: title is missing\.\n.*\[#{18}\.{12}\] 60 % {2}6000 rows/);
  expect(written().endsWith('\u001b[0J')).toBe(true);
});

it('progress of an unknown whole has no bar on a terminal', () => {
  const { progress, written } = given(true);
  progress.update('250 rows', { count: 250, share: undefined });
  progress.end();
  expect(written()).toContain('250 rows');
  expect(written()).not.toContain('%');
});

it('erase progress is a line for each kind of data, without a rate', () => {
  const { progress, clock, written } = given(false, { stepsPerLine: 1, showsRate: false });
  progress.update('baskets: 0 erased', { count: 1, share: 0.125 });
  clock.nowMs = 20_000;
  progress.update('members: 3 erased', { count: 2, share: 0.25 });
  progress.end();
  expect(written()).toBe('baskets: 0 erased\nmembers: 3 erased, 60 s left\n');
});

it.each([true, false])('notes contain no control characters of a file (terminal: %s)', (isTTY) => {
  const { progress, written } = given(isTTY);
  progress.update('1 rows', { count: 1, share: undefined });
  progress.note('line 2: no "\u001b[2J\u0007"');
  progress.update('2 rows', { count: 2, share: undefined });
  progress.end();
  expect(written()).toContain('line 2: no "\\x1b[2J\\x07"');
});

it('import progress reports the first 20 rejected rows only', () => {
  const reasonsOf = firstReasons();
  const rejected = Array.from({ length: 15 }, (_, line) => ({ line, reason: 'x is missing.' }));
  const reported = [1, 2, 3].flatMap(() => reasonsOf(rejected));
  expect(reported.filter((text) => text.endsWith('x is missing.'))).toHaveLength(20);
  expect(reported.at(-1)).toBe('Further rejected rows are only in the file.');
});
