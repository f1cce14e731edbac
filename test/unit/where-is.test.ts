import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');
const readme = read('README.md');

/** What a reader asks first, by the words with which the row of the README begins. Each is answered by a function. */
const functions = [
  'an instalment decided',
  'a seat taken',
  'the rule that no single seat is left',
  'the reduction of a code',
  'the layout of the PDF',
  'the signature of an Apple pass',
  'the refusal of a phase',
  'the journal entry of a refund',
  'the offline list of a gate',
];
const twoBuyers = 'the test that fails when two buyers get one seat';

/** The answers of the README to a question: the last column of the rows that begin with it. */
function answersTo(question: string): readonly string[] {
  const [, section = ''] = readme.split('\n## Where is …\n');
  const rows = section.split('\n').filter((line) => line.startsWith(`| ${question}`));
  return rows.map((row) => row.split(' | ').at(-1) ?? '');
}

const filesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g), ([, file = '']) => file);

/** The functions that a text says are in a file: `name` in `file`. */
function namedPlaces(text: string): readonly (readonly [name: string, file: string])[] {
  return Array.from(text.matchAll(/`(\w+)` in `([\w./-]+\.ts)`/g), ([, name = '', file = '']) => [name, file]);
}

function declares(file: string, name: string): boolean {
  return new RegExp(`^(?:export )?(?:(?:async )?function|const) ${name}\\b`, 'm').test(read(file));
}

it.each([...functions, twoBuyers])(
  'the README answers in one row, with one file that exists, where is … %s',
  (question) => {
    const answers = answersTo(question);
    expect(answers).toHaveLength(1);
    const files = answers.flatMap(filesIn);
    expect(files).toHaveLength(1);
    expect(files.filter((file) => !file.endsWith('.ts') || !existsSync(`${root}${file}`))).toEqual([]);
  },
);

it.each(functions)('the README names the function that says where is … %s', (question) => {
  expect(answersTo(question).flatMap(namedPlaces)).toHaveLength(1);
});

it('the test of two buyers and one seat says so in its title, and npm test runs it', () => {
  const [file = ''] = answersTo(twoBuyers).flatMap(filesIn);
  expect(file).toMatch(/^test\/.+\.test\.ts$/);
  expect(file).not.toMatch(/^test\/(?:browser|faults|large)\//);
  expect(read(file)).toMatch(/'two buyers who take one seat at the same moment/);
});

it('every function that the README places in a file is declared there', () => {
  const places = namedPlaces(readme);
  expect(places.length).toBeGreaterThan(functions.length);
  expect(places.filter(([name, file]) => !declares(file, name))).toEqual([]);
});

it('the README has at most 220 lines: what a newcomer does not need has a page of its own', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(220);
});
