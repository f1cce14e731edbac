import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, csvLine, readCsv } from '../../admin/transfer/csv.ts';
import { collect } from '../support/collect.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

async function read(text: string, size = text.length || 1): Promise<CsvRecord[]> {
  return collect(readCsv(inPieces(text, size)));
}

const cells = async (text: string): Promise<unknown[]> =>
  (await read(text)).map((record) => ('cells' in record ? record.cells : record.problem));

describe('CSV is read', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\uFEFFa,b\n', [['a', 'b']]],
    ['"a, ""b""\r\nc",d\n', [['a, "b"\r\nc', 'd']]],
    ['"",x\n', [['', 'x']]],
    ['a,,\n', [['a', '', '']]],
    [',\n', [['', '']]],
    ['a\n\n\r\nb\n', [['a'], ['b']]],
    ['a"b,c\n', [['a"b', 'c']]],
    [' a , b \n', [[' a ', ' b ']]],
    ['Zoë,🦊\n', [['Zoë', '🦊']]],
    ['', []],
    ['\n', []],
  ])('from %j', async (text, expected) => {
    expect(await cells(text)).toEqual(expected);
  });

  it('with the line on which each record begins, also after line ends in quotes', async () => {
    const records = await read('head\r\n"two\r\nlines"\n\n"x\ry"\rlast');
    expect(records.map(({ line }) => line)).toEqual([1, 2, 5, 7]);
  });

  it('past a record that is wrong, which is told', async () => {
    expect(await cells('a\n"b"c\nd\n')).toEqual([
      ['a'],
      'Something stands between a closing quote and the comma.',
      ['d'],
    ]);
    const [, open] = await read('a\n"b\nc\n');
    expect(open).toEqual({ line: 2, problem: 'A quote that begins in this row is never closed.' });
  });

  it('but not for ever inside a quote that is not closed', async () => {
    async function* endless(): AsyncGenerator<string> {
      yield 'a\n"';
      for (;;) yield 'x'.repeat(10_000);
    }
    const records = await collect(readCsv(endless()));
    expect(records[1]).toEqual({ line: 2, problem: expect.stringContaining('a quote is not closed') });
  });

  it('the same however it arrives, and as it was written', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"', ',', '\n', '\r\n', '\r', ' x ', '\uFEFFx'),
    );
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (written, size) => {
        const text = written.map(csvLine).join('');
        const records = await read(text, size);
        expect(records.map((record) => ('cells' in record ? record.cells : record.problem))).toEqual(written);
      }),
    );
  });
});
