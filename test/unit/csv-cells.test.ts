import { describe, expect, it } from 'vitest';
import { fromCell, toCell } from '../../admin/transfer/cells.ts';
import * as field from '../../admin/transfer/fields.ts';
import { readNdjson } from '../../admin/transfer/ndjson.ts';
import { collect } from '../support/collect.ts';

describe('a cell takes the type of its column', () => {
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
  ])('%#: %j', (schema, text, expected) => {
    expect(fromCell(schema, text)).toBe(expected);
  });

  it.each([[null], [0], [240.5], [true], ['007'], ['']])('and %j is written so that it reads the same', (value) => {
    expect(toCell(value)).toBe(value === null ? '' : String(value));
  });
});

describe('NDJSON is read', () => {
  async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
    yield* texts;
  }

  it('line by line, however it arrives; what is no object is told by its line', async () => {
    const lines = await collect(readNdjson(pieces('\uFEFF{"a":', '1}\r\n\n[1]\nnul', 'l\n{"a"\n{"a":2}')));
    expect(lines).toEqual([
      { line: 1, fields: { a: 1 } },
      { line: 3, problem: 'The line is no JSON object.' },
      { line: 4, problem: 'The line is no JSON object.' },
      { line: 5, problem: 'The line is no valid JSON.' },
      { line: 6, fields: { a: 2 } },
    ]);
  });

  it('but not a line without end', async () => {
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield 'x'.repeat(100_000);
    }
    expect(await collect(readNdjson(endless()))).toEqual([
      { line: 1, problem: expect.stringContaining('longer than a million') },
    ]);
  });
});
