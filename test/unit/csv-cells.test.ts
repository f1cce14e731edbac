import { describe, expect, it } from 'vitest';
import { fromCell } from '../../admin/transfer/cells.ts';
import * as column from '../../admin/transfer/columns.ts';
import { cutLongLines } from '../../admin/transfer/long-lines.ts';
import { readNdjson } from '../../admin/transfer/ndjson.ts';
import { collect } from '../support/collect.ts';

describe('CSV cells', () => {
  it.each([
    [column.price, '240.5', 240.5],
    [column.price, ' 12 ', 12],
    [column.price, '1e3', '1e3'],
    [column.price, '1,000', '1,000'],
    [column.unixOrNull, '1793451600', 1_793_451_600],
    [column.unixOrNull, '', null],
    [column.flag, '1', 1],
    [column.flag, 'yes', 'yes'],
    [column.boolean, 'TRUE', true],
    [column.boolean, '0', false],
    [column.boolean, 'toString', 'toString'],
    [column.textOrNull(10), '007', '007'],
    [column.textOrNull(10), ' x', ' x'],
    [column.textOrNull(10), '', null],
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
