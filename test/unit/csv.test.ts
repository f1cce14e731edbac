import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, csvWriter, readCsv } from '../../admin/transfer/csv.ts';
import { cutLongLines } from '../../admin/transfer/long-lines.ts';
import { collect } from '../support/collect.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size = 1_000): Promise<CsvRecord[]> {
  return collect(readCsv(inPieces(text, size)));
}

const content = (record: CsvRecord): unknown => ('cells' in record ? record.cells : record.problem);

const cells = async (text: string): Promise<unknown[]> => (await read(text)).map(content);

async function write(columns: readonly string[], rows: readonly object[]): Promise<string> {
  return pipeline(rows, csvWriter(columns), async (chunks) => (await collect<string>(chunks)).join(''));
}

describe('readCsv', () => {
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
    ['"""a"" b",""""\n', [['"a" b', '"']]],
    ['"",x\n', [['', 'x']]],
    ['a,,\n', [['a', '', '']]],
    [',\n', [['', '']]],
    ['a\n\n\r\nb\n', [['a'], ['b']]],
    ['a"b,c\n', [['a"b', 'c']]],
    [' a , b \n', [[' a ', ' b ']]],
    ['Zoë,🦊\n', [['Zoë', '🦊']]],
    ['', []],
    ['\n', []],
  ])('reads %j', async (text, expected) => {
    expect(await cells(text)).toEqual(expected);
  });

  it('returns the line on which each record starts, also after line ends in quotes', async () => {
    const text = '\nhead\r\n"two\r\nlines"\n\r\n\n"x\ry"\rlast';
    for (const size of [1, 2, 3, 100]) {
      expect((await read(text, size)).map(({ line }) => line)).toEqual([2, 3, 7, 9]);
    }
  });

  it('reports a malformed record and reads the next one', async () => {
    const problem = 'There is text after a closing quote.';
    expect(await cells('a\n"b"c\nd\n')).toEqual([['a'], problem, ['d']]);
    expect(await cells('a,b\n"x" ,1\nc"d,"e"f\ng,h\n')).toEqual([['a', 'b'], problem, problem, ['g', 'h']]);
  });

  it('reports a quote that is not closed, with the line of its record', async () => {
    const [, , open] = await read('a\nx\n"b\nc\n');
    expect(open).toEqual({ line: 3, problem: expect.stringContaining('A quote in this row is never closed.') });
  });

  it('stops reading inside of a quote that is not closed', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('a\n"');
      for (;;) yield Buffer.from(`${'x'.repeat(10_000)}\n`);
    }
    const records = await collect(readCsv(cutLongLines(endless())));
    expect(records.map(content)).toEqual([['a'], expect.stringContaining('A quote in this row is never closed.')]);
  });

  it('reports a line of 10 MB and reads the next one', async () => {
    const text = `a,b\n1,${'x'.repeat(10_000_000)},3\r\n4,5\n`;
    const records = await collect(readCsv(cutLongLines(inPieces(text, 65_536))));
    expect(records).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, problem: 'The row is longer than 1,000,000 characters.' },
      { line: 3, cells: ['4', '5'] },
    ]);
  });
});

describe('csvWriter', () => {
  it('writes a header, quotes only where necessary, and ends lines with CRLF', async () => {
    const row = { a: 'x, "y"', b: true, c: null, d: [{ e: 1 }], f: ' 007' };
    expect(await write(['f', 'a', 'b', 'c', 'd'], [row])).toBe(
      'f,a,b,c,d\r\n" 007","x, ""y""",true,,"[{""e"":1}]"\r\n',
    );
    expect(await write(['a', 'b'], [])).toBe('a,b\r\n');
  });

  it('writes what readCsv reads, however the chunks are cut', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"', ',', '\n', '\r\n', '\r', ' x ', '\uFEFFx', '"x', '"x"y', ',"'),
    );
    const columns = ['a', 'b', 'c'];
    const rows = fc.array(fc.record({ a: cell, b: cell, c: cell }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (written, size) => {
        const records = await read(await write(columns, written), size);
        expect(records.map(content)).toEqual([columns, ...written.map(({ a, b, c }) => [a, b, c])]);
      }),
    );
  });

  it('writes formulas as text and negative numbers as numbers', async () => {
    const row = {
      a: '=1+1',
      b: '+61 412',
      c: '-x',
      d: '@x',
      e: '\tx',
      f: '\rx',
      g: "'=1",
      h: "'s-Gravenhage",
      i: -5,
      j: '＝1',
    };
    expect(await write(Object.keys(row), [row])).toBe(
      `a,b,c,d,e,f,g,h,i,j\r\n'=1+1,'+61 412,'-x,'@x,'\tx,"'\rx",''=1,'s-Gravenhage,-5,'＝1\r\n`,
    );
  });

  it('writes formulas that readCsv restores, with and without apostrophes before them', async () => {
    const cell = fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', '"', ',', ' ', '5'),
    });
    const rows = fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const text = await write(['a', 'b'], written);
        expect((await cells(text)).slice(1)).toEqual(written.map(({ a, b }) => [a, b]));
        const shown = parse(text, { record_delimiter: '\r\n' }).flat();
        expect(shown).not.toContainEqual(expect.stringMatching(/^[=+\-@\t\r\n＝]/));
      }),
    );
  });
});
