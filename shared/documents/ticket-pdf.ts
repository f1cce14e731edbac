import type { PdfLayout } from '../domain/orders/pdf-layouts.ts';
import { textColourOn } from '../domain/organisations/colour.ts';
import { bytesOf, newPdf, printable } from './pdf.ts';
import { blackRuns, qrCode } from './qr-code.ts';
import { type Fact, listedFacts, type TicketFacts } from './ticket-facts.ts';
import { writingIn } from './writing.ts';

/** Lengths are in points. */
interface Layout {
  readonly width: number;
  /** A roll is cut below the last of so many facts. */
  readonly height: (facts: number) => number;
  readonly margin: number;
  readonly header: number;
  readonly codeSize: number;
  readonly labelWidth: number;
  /** Of the largest texts, of other texts, and of labels. */
  readonly sizes: { readonly title: number; readonly text: number; readonly label: number };
}

/** A US Letter page prints all of an A4 page; a printer with a roll of 80 mm prints 72 mm of it. */
const layouts = {
  a4: {
    width: 595.28,
    height: () => 841.89,
    margin: 56,
    header: 96,
    codeSize: 227,
    labelWidth: 90,
    sizes: { title: 24, text: 13, label: 11 },
  },
  roll_80mm: {
    width: 226.77,
    height: (facts) => 370 + 40 * facts,
    margin: 14,
    header: 40,
    codeSize: 160,
    labelWidth: 48,
    sizes: { title: 15, text: 10, label: 9 },
  },
} as const satisfies Readonly<Record<PdfLayout, Layout>>;

type PrintedFacts = TicketFacts & { readonly barcode: string };

interface Printing {
  readonly nowMs: number;
  readonly layout?: PdfLayout;
}

/** Tickets of one event, each on a page of its own, with embedded fonts for Latin, Greek and Cyrillic. The ticket's own page shows other scripts. */
export function ticketsPdf(
  [first, ...others]: readonly [PrintedFacts, ...PrintedFacts[]],
  { nowMs, layout: name = 'a4' }: Printing,
): Promise<Uint8Array> {
  const layout = layouts[name];
  const { locale } = first;
  const otherwise = writingIn(locale).text('seeTicketPage');
  const printed = (text: string): string => printable(text, otherwise);
  const document = newPdf({ title: printed(first.event), author: printed(first.organisation), locale, nowMs });
  const bytes = bytesOf(document);
  for (const facts of [first, ...others]) {
    const rows = listedFacts(facts);
    document.addPage({ size: [layout.width, layout.height(rows.length)], margin: 0 });
    const sheet = { document, layout, printed };
    drawHeader(sheet, facts);
    drawFacts(sheet, rows, drawCode(sheet, facts.barcode, drawEvent(sheet, facts)));
  }
  document.end();
  return bytes;
}

/** Where something is drawn. */
interface Sheet {
  readonly document: PDFKit.PDFDocument;
  readonly layout: Layout;
  /** Other scripts and emoji are on the page of the ticket only. */
  readonly printed: (text: string) => string;
}

/** Draws a text of at most so many lines, and returns where it ends. */
function drawText(
  { document, layout: { margin, width: pageWidth } }: Sheet,
  text: string,
  { y, x = margin, width = pageWidth - 2 * margin, size, font = 'regular', lines = 1 }: TextStyle,
): number {
  document.font(font, size);
  const height = document.currentLineHeight(true) * lines + 1;
  document.text(text, x, y, { width, height, ellipsis: true });
  return Math.min(document.y, y + height);
}

interface TextStyle {
  readonly y: number;
  readonly x?: number;
  readonly width?: number;
  readonly size: number;
  readonly font?: 'regular' | 'bold';
  readonly lines?: number;
}

function drawHeader(sheet: Sheet, { organisation, colour }: TicketFacts): void {
  const { document, layout, printed } = sheet;
  const size = (layout.sizes.title * 5) / 6;
  document.rect(0, 0, layout.width, layout.header).fill([...colour]);
  document.fillColor([...textColourOn(colour)]);
  drawText(sheet, printed(organisation), { y: (layout.header - 1.4 * size) / 2, size, font: 'bold' });
  document.fillColor('black');
}

function drawEvent(sheet: Sheet, { event, starts, venue }: TicketFacts): number {
  const { printed } = sheet;
  const { header, sizes } = sheet.layout;
  const y = drawText(sheet, printed(event), {
    y: header + 1.5 * sizes.title,
    size: sizes.title,
    font: 'bold',
    lines: 2,
  });
  const below = drawText(sheet, starts, { y: y + sizes.text / 2, size: sizes.text, lines: 2 });
  return venue === null ? below : drawText(sheet, printed(venue), { y: below + 2, size: sizes.text });
}

/** The code as vectors, which a printer draws sharply. Its text is below it, for a gate that must type it. */
function drawCode({ document, layout: { width, margin, codeSize, sizes } }: Sheet, barcode: string, y: number): number {
  const rows = qrCode(barcode);
  const size = codeSize / rows.length;
  const [left, top] = [(width - codeSize) / 2, y + sizes.title];
  for (const run of blackRuns(rows)) document.rect(left + run.x * size, top + run.y * size, run.width * size, size);
  document.fill('black');
  const style = { width: width - 2 * margin, align: 'center' } as const;
  document.font('regular', sizes.text - 1).text(barcode, margin, top + codeSize + 2, style);
  return document.y + sizes.title;
}

function drawFacts(sheet: Sheet, facts: readonly Fact[], top: number): void {
  const { document, layout, printed } = sheet;
  const { margin, labelWidth, sizes } = layout;
  let y = top;
  for (const { label, value } of facts) {
    document
      .moveTo(margin, y)
      .lineTo(layout.width - margin, y)
      .lineWidth(0.5)
      .stroke('#c8ced6');
    document.fillColor('#4d5a68');
    drawText(sheet, label, { y: y + 7, size: sizes.label, width: labelWidth });
    document.fillColor('black');
    const [x, width] = [margin + labelWidth, layout.width - 2 * margin - labelWidth];
    y = drawText(sheet, printed(value), { y: y + 5, size: sizes.text, font: 'bold', x, width, lines: 2 }) + 6;
  }
}
