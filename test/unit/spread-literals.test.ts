import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';

/** Whether an object spreads a literal, which only saves lines: `{ ...{ a, b }, c }`. */
function spreadsLiteral(file: string): boolean {
  let isFound = false;
  new Visitor({
    ObjectExpression: ({ properties }) => {
      isFound ||= properties.some((one) => one.type === 'SpreadElement' && one.argument.type === 'ObjectExpression');
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return isFound;
}

it('an object names its fields and spreads no literal', () => {
  const patterns = ['*.ts', '*.tsx', ':!test/golden'];
  const files = execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const mentioned = files.filter((file) => /\.\.\.\s*\{/.test(readFileSync(file, 'utf8')));
  expect(mentioned.filter(spreadsLiteral)).toEqual([]);
});
