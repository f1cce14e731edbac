import { expect, it } from 'vitest';
import { drawnFiles } from '../support/drawn-files.ts';

const rules = Array.from({ length: 20 }, (_, at) => `test/rules/rule-${at}.test.ts`);
const files = [...rules, 'test/only/only.test.ts'];

it('of each folder, one test file in eight runs on DynamoDB Local, and at least one', () => {
  const drawn = drawnFiles(files, '1');
  expect(drawn.filter((file) => file.startsWith('test/rules/'))).toHaveLength(3);
  expect(drawn).toContain('test/only/only.test.ts');
  expect(new Set(drawnFiles(files.toReversed(), '1'))).toEqual(new Set(drawn));
  expect(drawnFiles([], '7')).toEqual([]);
});

it('another seed draws other files, and in time all of them', () => {
  const drawn = Array.from({ length: 100 }, (_, seed) => drawnFiles(rules, String(seed)));
  expect(new Set(drawn.map((some) => some.toSorted().join())).size).toBeGreaterThan(50);
  expect(new Set(drawn.flat()).size).toBe(20);
});
