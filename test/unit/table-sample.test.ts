import { expect, it } from 'vitest';
import { drawnFiles } from '../support/table-kind.ts';

const folder = ['README.md', ...Array.from({ length: 20 }, (_, at) => `rule-${at}.test.ts`)];

it('of each folder, one test file in eight runs on DynamoDB Local', () => {
  expect(drawnFiles(folder, '1')).toHaveLength(3);
  expect(drawnFiles(folder, '1')).toEqual(drawnFiles(folder.toReversed(), '1'));
  expect(drawnFiles(['README.md', 'only.test.ts'], '7')).toEqual(['only.test.ts']);
  expect(drawnFiles([], '7')).toEqual([]);
});

it('another seed draws other files, and in time all of them', () => {
  const drawn = Array.from({ length: 100 }, (_, seed) => drawnFiles(folder, String(seed)));
  expect(new Set(drawn.map((files) => files.join())).size).toBeGreaterThan(50);
  expect(new Set(drawn.flat()).size).toBe(20);
});
