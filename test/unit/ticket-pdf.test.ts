import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { TicketFacts } from '../../shared/documents/ticket-facts.ts';
import { ticketsPdf } from '../../shared/documents/ticket-pdf.ts';
import { pdfLayouts } from '../../shared/domain/orders/pdf-layouts.ts';
import { aTicketWithFacts } from '../support/ticket-facts.ts';

const facts = aTicketWithFacts();

/** The decompressed streams of a PDF: pages, fonts and the maps from glyphs to characters. */
function streamsOf(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  return [...file.toString('latin1').matchAll(/stream\n/g)]
    .filter(({ index }) => file.toString('latin1', index - 3, index) !== 'end')
    .map(({ index }) => {
      const rest = file.subarray(index + 7);
      try {
        return inflateSync(rest, { finishFlush: 2 }).toString('latin1');
      } catch {
        return '';
      }
    });
}

/** The characters that the fonts of the document contain. */
async function embedded(change: Partial<TicketFacts>): Promise<string> {
  const streams = streamsOf(await ticketsPdf([{ ...facts, ...change, barcode: facts.barcode }], { nowMs: 0 }));
  const codes = streams.filter((stream) => stream.includes('beginbfrange')).join('');
  return [...codes.matchAll(/<([0-9a-f]{4})>/gi)]
    .map(([, code = '']) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('');
}

/** The texts of the document as a reader copies them: the numbers of its glyphs, through the maps of its fonts. */
async function copied(change: Partial<TicketFacts>): Promise<string[]> {
  const streams = streamsOf(await ticketsPdf([{ ...facts, ...change, barcode: facts.barcode }], { nowMs: 0 }));
  const maps = streams
    .filter((stream) => stream.includes('beginbfrange'))
    .map((stream) =>
      [...stream.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[(.*)\]/g)].flatMap(([, codes = '']) =>
        [...codes.matchAll(/<([0-9a-f]*)>/g)].map(([, code = '']) =>
          String.fromCodePoint(...(code.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
        ),
      ),
    );
  const page = streams.find((stream) => stream.includes(' TJ')) ?? '';
  const glyphs = [...page.matchAll(/\[(.*)\] \d+\] TJ|\[(.*)\] TJ/g)].map(([text]) =>
    [...text.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, run = '']) => run.match(/.{4}/g) ?? []),
  );
  return glyphs.flatMap((numbers) =>
    maps.map((map) => numbers.map((number) => map[Number.parseInt(number, 16)] ?? '').join('')),
  );
}

describe('the PDF of a ticket', () => {
  it('can be copied as it is written, whatever was printed before', async () => {
    // Letters with marks are put together from glyphs that the next document needs alone.
    await ticketsPdf([{ ...facts, holder: 'Ẑ Ẍ Ǭ', barcode: facts.barcode }], { nowMs: 0 });
    for (const holder of ['Zoë Xóchitl', 'Zoe\u0308 Xóchitl', 'Zoë Xóchitl']) {
      expect(await copied({ holder, event: 'Cup' })).toContain('Zoë Xóchitl');
    }
  });

  it.each(['Zoë Šimůnek', 'Αθηνά Παπαδοπούλου', 'Иван Щёкин', 'Nguyễn Ænd Øre'])(
    'contains the letters of %s',
    async (holder) => {
      const found = await embedded({ holder });
      for (const letter of holder.replaceAll(' ', '')) expect(found, letter).toContain(letter);
    },
  );

  it.each(['محمد', 'שרה', '太郎', 'สมชาย', 'Ada 🎉', 'Ada 👩‍👩‍👧', '♥ Ada', '①'])(
    'leaves %s to the page of the ticket',
    async (holder) => {
      const found = await embedded({ holder });
      for (const letter of holder.replaceAll(/[Ad a]/g, '')) expect(found).not.toContain(letter);
      expect(await copied({ holder })).toContain('see the page of the ticket');
    },
  );

  it('prints no mark that turns the direction of writing', async () => {
    expect(await embedded({ event: 'Ada\u202Elirpa\u200F' })).not.toMatch(/\p{Bidi_Control}/u);
  });

  it.each(pdfLayouts)('is one page in the layout %s, whatever the texts are', async (layout) => {
    const long = 'A very long title '.repeat(40);
    const place = Array.from({ length: 5 }, (_, index) => ({ key: 'row', label: `Row ${index}`, value: long }));
    const file = Buffer.from(
      await ticketsPdf([{ ...facts, event: long, organisation: long, venue: long, holder: long, price: long, place }], {
        nowMs: 0,
        layout,
      }),
    );
    expect(file.toString('latin1').match(/\/Type \/Page\n/g)).toHaveLength(1);
  });

  it('is 80 mm wide for the roll of a printer, and as long as its facts need', async () => {
    const boxOf = async (change: Partial<TicketFacts>) => {
      const bytes = await ticketsPdf([{ ...facts, ...change, barcode: facts.barcode }], {
        nowMs: 0,
        layout: 'roll_80mm',
      });
      const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
      return { width: Number(width), height: Number(height) };
    };
    const [without, withSeat] = [
      await boxOf({ place: [] }),
      await boxOf({ place: [{ key: 'seat', label: 'Seat', value: '12' }] }),
    ];
    expect(without.width).toBeCloseTo((80 / 25.4) * 72, 1);
    expect(withSeat.height).toBeGreaterThan(without.height);
  });
});
