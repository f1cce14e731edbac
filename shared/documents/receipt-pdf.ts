import { type DocumentRecord, documentTotalMinor } from '../domain/receipts/document.ts';
import { bytesOf, newPdf, printable } from './pdf.ts';
import { breakdownRows, factsOf, lineRows, paidRows, partiesOf, type Row, titleOf } from './receipt-texts.ts';
import { type Writing, writingIn } from './writing.ts';

/** Lengths are in points: a page of A4, which a US Letter page prints as a whole if it is scaled a little. */
const page = { width: 595.28, height: 841.89, margin: 50, bottom: 60 } as const;
const size = { title: 20, text: 10, small: 8 } as const;
const inner = page.width - 2 * page.margin;
export const labelWidth = 160;
/** The widths of a table's columns: what it is, quantity, net, rate, tax, gross. */
export const columns = [inner - 314, 46, 64, 64, 60, 80] as const;

/** Where something is drawn, and how it is written. Every drawing returns where the next one begins. */
interface Sheet {
  readonly pdf: PDFKit.PDFDocument;
  readonly writing: Writing;
}

/** A receipt or a credit note on A4. Texts in other scripts than Latin, Greek and Cyrillic are in the order only. */
export function receiptPdf(document: DocumentRecord, { locale, timezone, nowMs }: Printing): Promise<Uint8Array> {
  const writing = writingIn(locale);
  const title = printed(writing, `${titleOf(document, writing)} ${document.number}`);
  const pdf = newPdf({ title, author: printed(writing, document.seller.name), locale, nowMs });
  const sheet = { pdf, writing };
  const bytes = bytesOf(pdf);
  newPage(sheet);
  const top = drawParties(sheet, document, drawHead(sheet, document, timezone));
  const below = drawTable(sheet, lineRows(document, writing), top + 18);
  const summed = drawTable(sheet, breakdownRows(document, writing), below + 14);
  const total = writing.money(documentTotalMinor(document.lines), document.currency);
  const facts = [{ label: writing.text('total'), value: total }, ...paidRows(document, writing)];
  drawFacts(sheet, facts, room(sheet, summed + 14, 80));
  pdf.end();
  return bytes;
}

interface Printing {
  /** Of the organisation. */
  readonly locale: string;
  /** The zone of the organisation, in which the date is written. */
  readonly timezone: string;
  readonly nowMs: number;
}

const printed = ({ text }: Writing, value: string): string => printable(value, text('seeOrder'));

function newPage({ pdf }: Sheet): number {
  pdf.addPage({ size: [page.width, page.height], margin: 0 });
  return page.margin;
}

/** Where so much can be drawn: here, or on a new page. */
const room = (sheet: Sheet, y: number, height: number): number =>
  y + height > page.height - page.bottom ? newPage(sheet) : y;

interface Style {
  readonly x?: number;
  readonly y: number;
  readonly width?: number;
  readonly size?: number;
  readonly font?: 'regular' | 'bold';
  readonly align?: 'left' | 'right';
  readonly lines?: number;
}

function drawText({ pdf, writing }: Sheet, text: string, style: Style): number {
  const { x = page.margin, y, width = inner, font = 'regular', align = 'left', lines = 1 } = style;
  pdf.font(font, style.size ?? size.text);
  const height = pdf.currentLineHeight(true) * lines + 1;
  pdf.text(printed(writing, text), x, y, { width, height, align, ellipsis: true });
  return Math.min(pdf.y, y + height);
}

function drawHead(sheet: Sheet, document: DocumentRecord, timezone: string): number {
  const y = drawText(sheet, titleOf(document, sheet.writing), { y: page.margin, size: size.title, font: 'bold' });
  return drawFacts(sheet, factsOf(document, timezone, sheet.writing), y + 8);
}

function drawFacts(sheet: Sheet, facts: readonly { readonly label: string; readonly value: string }[], top: number) {
  let y = top;
  for (const { label, value } of facts) {
    const line = room(sheet, y, 20);
    sheet.pdf.fillColor('#4d5a68');
    drawText(sheet, label, { y: line, width: labelWidth });
    sheet.pdf.fillColor('black');
    y =
      drawText(sheet, value, {
        y: line,
        x: page.margin + labelWidth,
        width: inner - labelWidth,
        font: 'bold',
        lines: 2,
      }) + 3;
  }
  return y;
}

/** The seller on the left, the buyer on the right. */
function drawParties(sheet: Sheet, document: DocumentRecord, top: number): number {
  const width = inner / 2 - 10;
  const ends = partiesOf(document, sheet.writing).map(({ heading, texts }, index) => {
    const x = page.margin + index * (width + 20);
    let y = drawText(sheet, heading, { x, y: top + 16, width, size: size.small });
    for (const text of texts) y = drawText(sheet, text, { x, y, width, lines: 2 });
    return y;
  });
  return Math.max(top, ...ends);
}

/** Rows with a heading that each page repeats. */
function drawTable(sheet: Sheet, [heading, ...rows]: readonly [Row, ...Row[]], top: number): number {
  let y = drawRow(sheet, heading, room(sheet, top, 60), 'bold');
  for (const row of rows) {
    const here = room(sheet, y, 34);
    y = drawRow(sheet, row, here === page.margin ? drawRow(sheet, heading, here, 'bold') : here, 'regular');
  }
  return y;
}

function drawRow(sheet: Sheet, { cells, below }: Row, y: number, font: 'regular' | 'bold'): number {
  let x: number = page.margin;
  let end = y;
  for (const [index, width] of columns.entries()) {
    const align = index === 0 ? 'left' : 'right';
    end = Math.max(end, drawText(sheet, cells[index] ?? '', { x, y: y + 4, width, font, align, lines: 2 }));
    x += width;
  }
  if (below !== null) end = drawText(sheet, below, { y: end, width: columns[0], size: size.small, lines: 2 });
  sheet.pdf
    .moveTo(page.margin, end + 3)
    .lineTo(page.width - page.margin, end + 3)
    .lineWidth(0.5)
    .stroke('#c8ced6');
  return end + 3;
}
