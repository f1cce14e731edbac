import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Words that a sentence goes on with, and does not begin with. */
const goesOn =
  /^(is|are|was|has|have|does|can|cannot|must|and|that|whose|says|names|shows|refuses|rejects|reads|writes|leaves|keeps|counts|ends|finds|returns|takes|gives|gets|needs|lets|makes|asks|tells|adds|removes|creates|begins|becomes|stays|contains|belongs)\b/;

/** The names of blocks, and the titles of tests outside of a block: the formatter begins their lines at the margin. */
function subjectsIn(text: string): string[] {
  const blocks = text.matchAll(/^ *describe\b[^'`\n]*\(\s*['`](.*)/gm);
  const outside = text.matchAll(/^(?:it|longTest|pipelineTest|\])[^'`\n]*\(\s*['`](.*)/gm);
  return [...blocks, ...outside].map(([, title = '']) => title);
}

it('a title of a test has a subject: its own, or the name of its block', () => {
  const subjects = globSync('test/**/*.test.ts').flatMap((file) =>
    subjectsIn(readFileSync(file, 'utf8')).map((title) => ({ file, title })),
  );
  expect(subjects.length).toBeGreaterThan(500);
  expect(subjects.filter(({ title }) => goesOn.test(title))).toEqual([]);
});

it.each([
  ["it('is taken', () => {});", ['is taken']],
  ["it.each([\n  [1],\n])('is taken by %i', () => {});", ['is taken by %i']],
  ["it.each([1])(\n  'is taken by %i',\n", ['is taken by %i']],
  ["describe('a seat', () => {\n  it('is taken', () => {});\n});", ['a seat']],
])('the subjects of %j are found', (text, subjects) => {
  expect(subjectsIn(text).map((title) => title.replace(/'.*/, ''))).toEqual(subjects);
});
