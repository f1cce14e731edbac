import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { reporterFor, type Screen } from '../../admin/transfer/progress.ts';

function given(isTTY: boolean) {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
  const screen: Screen = Object.assign(stream, { isTTY });
  return { reporter: reporterFor(screen), written: () => texts.join('') };
}

const counts = (read: number, rejected = 0) => ({ read, created: read, updated: 0, unchanged: 0, rejected });

it('on a terminal is one bar, drawn over itself and gone at the end', () => {
  const { reporter, written } = given(true);
  reporter.batch({ counts: counts(250), rejected: [], share: 0.5 });
  reporter.batch({ counts: counts(500, 1), rejected: [{ line: 300, reason: 'title is missing.' }], share: 1 });
  reporter.end();
  expect(written().split('\r\u001b[K')).toEqual([
    '',
    `[${'#'.repeat(15)}${'.'.repeat(15)}]  50 %  250 rows`,
    'line 300: title is missing.\n',
    `[${'#'.repeat(30)}] 100 %  500 rows, 1 rejected`,
    '',
  ]);
});

it('elsewhere is a line every 5,000 rows, without control characters', () => {
  const { reporter, written } = given(false);
  for (let read = 1_000; read <= 11_000; read += 1_000) {
    reporter.batch({ counts: counts(read), rejected: [], share: undefined });
  }
  reporter.end();
  expect(written()).toBe('5000 rows\n10000 rows\n');
});

it('gives the first reasons only: a file with a wrong column everywhere has as many as rows', () => {
  const { reporter, written } = given(false);
  const rejected = Array.from({ length: 50 }, (_, line) => ({ line, reason: 'x is missing.' }));
  reporter.batch({ counts: counts(50, 50), rejected, share: undefined });
  expect(written().match(/x is missing/g)).toHaveLength(20);
  expect(written()).toContain('Further rejected rows are only in the file.');
});
