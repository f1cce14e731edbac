import { expect, it } from 'vitest';
import { escapeFormula } from '../../admin/transfer/formulas.ts';
import { csvCell } from '../../examples/office/browser/csv.ts';

it.each(['=1+1', '+1', '-1', '@A1', '\tx', "'=1", "''@x", '\uFF1D1', "'s-Gravenhage", 'Till 1', ''])(
  'the takings of the office guard a text against formulas as every export does: %j',
  (text) => {
    expect(csvCell(text)).toBe(escapeFormula(text));
  },
);

it('a cell of the takings is quoted if it has a comma, a quote or a line end, and numbers stay numbers', () => {
  expect(csvCell('Till "1", left')).toBe('"Till ""1"", left"');
  expect(csvCell('=1\n2')).toBe('"\'=1\n2"');
  expect(csvCell(-5.5)).toBe('-5.5');
  expect(csvCell(null)).toBe('');
});
