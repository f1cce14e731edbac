import { describe, expect, it } from 'vitest';
import { fromCell } from '../../admin/transfer/cells.ts';
import * as field from '../../admin/transfer/columns.ts';
import { cutLongLines } from '../../admin/transfer/long-lines.ts';
import { readNdjson } from '../../admin/transfer/ndjson.ts';
import { collect } from '../support/collect.ts';

describe('CSV cells', () => {
  it.each([
    [field.price, '240.5', 240.5],
    [field.price, ' 12 ', 12],
    [field.price, '1e3', '1e3'],
    [field.price, '1,000', '1,000'],
    [field.unixOrNull, '1793451600', 1_793_451_600],
    [field.unixOrNull, '', null],
    [field.flag, '1', 1],
    [field.flag, 'yes', 'yes'],
    [field.truth, 'TRUE', true],
    [field.truth, '0', false],
    [field.truth, 'toString', 'toString'],
    [field.textOrNull(10), '007', '007'],
    [field.textOrNull(10), ' x', ' x'],
    [field.textOrNull(10), '', null],
  ])('are read as the type of their column: %#: %j', (schema, text, expected) => {
    expect(fromCell(schema, text)).toBe(expected);
  });
});

describe('readNdjson', () => {
  async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
    yield* texts.map((text) => Buffer.from(text));
  }

  it('reads one object per line, however the chunks are cut, and reports other lines with their line number', async () => {
    const lines = await collect(readNdjson(pieces('\uFEFF{"a":', '1}\r\n\n[1]\nnul', 'l\n{"a"\n{"a":2}')));
    expect(lines).toEqual([
      { line: 1, fields: { a: 1 } },
      { line: 3, problem: 'The line is not a JSON object.' },
      { line: 4, problem: 'The line is not a JSON object.' },
      { line: 5, problem: 'The line is not valid JSON.' },
      { line: 6, fields: { a: 2 } },
    ]);
  });

  it('reports a line of 10 MB and reads the next one', async () => {
    const lines = cutLongLines(pieces('{"a":1}\n', 'x'.repeat(10_000_000), '\n{"a":2}'));
    expect(await collect(readNdjson(lines))).toEqual([
      { line: 1, fields: { a: 1 } },
      { line: 2, problem: 'The line is longer than 1,000,000 characters.' },
      { line: 3, fields: { a: 2 } },
    ]);
  });
});
