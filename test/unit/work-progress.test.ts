import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Screen, showWork } from '../../admin/output/work-progress.ts';

function given(isTTY: boolean, options: { stepsPerLine: number; showsRate?: boolean }) {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
  const screen: Screen = Object.assign(stream, { isTTY });
  const clock = { nowMs: 0 };
  const progress = showWork(screen, { ...options, nowMs: () => clock.nowMs });
  return { progress, clock, written: () => texts.join('') };
}

it('export progress without a terminal is a line every 5,000 rows, with the rate and, if known, the remaining time', () => {
  const { progress, clock, written } = given(false, { stepsPerLine: 5_000 });
  for (let count = 1; count <= 11_000; count += 1) {
    clock.nowMs = count * 12;
    progress.update(`${count} rows`, { count, share: count < 8_000 ? undefined : count / 20_000 });
  }
  progress.end();
  expect(written()).toBe('5000 rows, 5000 a minute\n10000 rows, 5000 a minute, 2 min left\n');
});

it('export progress on a terminal is a bar with the rate and the remaining time, cleared at the end', () => {
  const { progress, clock, written } = given(true, { stepsPerLine: 5_000 });
  progress.update('0 rows', { count: 0, share: 0 });
  clock.nowMs = 30_000;
  progress.update('5000 rows', { count: 5_000, share: 0.5 });
  progress.end();
  expect(written()).toContain(`[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %  5000 rows, 10000 a minute, 30 s left`);
  expect(written()).toContain('\u001b[');
});

it('erase progress is a line for each kind of data, without a rate', () => {
  const { progress, clock, written } = given(false, { stepsPerLine: 1, showsRate: false });
  progress.update('baskets: 0 erased', { count: 1, share: 0.125 });
  clock.nowMs = 20_000;
  progress.update('members: 3 erased', { count: 2, share: 0.25 });
  progress.end();
  expect(written()).toBe('baskets: 0 erased\nmembers: 3 erased, 60 s left\n');
});
