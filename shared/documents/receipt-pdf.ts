import { moneyText } from '../domain/money.ts';
import { type DocumentRecord, documentTotalMinor } from '../domain/receipts/document.ts';
import { bytesOf, newPdf, printable } from './pdf.ts';
import { breakdownRows, factsOf, lineRows, paidRows, partiesOf, type Row, titleOf } from './receipt-texts.ts';

/** Lengths are in points: a page of A4, which a US Letter page prints as a whole if it is scaled a little. */
const page = { width: 595.28, height: 841.89, margin: 50, bottom: 60 } as const;
const size = { title: 20, text: 10, small: 8 } as const;
const inner = page.width - 2 * page.margin;
/** The widths of a table's columns: what it is, quantity, net, rate, tax, gross. */
const columns = [inner - 5 * 62, 38, 68, 56, 68, 80] as const;

/** Where something is drawn. Every drawing returns where the next one begins. */
type Sheet = PDFKit.PDFDocument;

/** A receipt or a credit note on A4. Texts in other scripts than Latin, Greek and Cyrillic are in the order only. */
export function receiptPdf(document: DocumentRecord, { timezone, nowMs }: Printing): Promise<Uint8Array> {
  const title = `${titleOf(document)} ${document.number}`;
  const sheet = newPdf({ title: printed(title), author: printed(document.seller.name), nowMs });
  const bytes = bytesOf(sheet);
  newPage(sheet);
  const top = drawParties(sheet, document, drawHead(sheet, document, timezone));
  const below = drawTable(sheet, lineRows(document), top + 18);
  const summed = drawTable(sheet, breakdownRows(document), below + 14);
  const total = moneyText(documentTotalMinor(document.lines), document.currency);
  drawFacts(sheet, [{ label: 'Total', value: total }, ...paidRows(document)], room(sheet, summed + 14, 80));
  sheet.end();
  return bytes;
}

interface Printing {
  /** The zone of the organisation, in which the date is written. */
  readonly timezone: string;
  readonly nowMs: number;
}

const printed = (text: string): string => printable(text, 'see the order');

function newPage(sheet: Sheet): number {
  sheet.addPage({ size: [page.width, page.height], margin: 0 });
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

function drawText(sheet: Sheet, text: string, style: Style): number {
  const { x = page.margin, y, width = inner, font = 'regular', align = 'left', lines = 1 } = style;
  sheet.font(font, style.size ?? size.text);
  const height = sheet.currentLineHeight(true) * lines + 1;
  sheet.text(printed(text), x, y, { width, height, align, ellipsis: true });
  return Math.min(sheet.y, y + height);
}

function drawHead(sheet: Sheet, document: DocumentRecord, timezone: string): number {
  const y = drawText(sheet, titleOf(document), { y: page.margin, size: size.title, font: 'bold' });
  return drawFacts(sheet, factsOf(document, timezone), y + 8);
}

function drawFacts(sheet: Sheet, facts: readonly { readonly label: string; readonly value: string }[], top: number) {
  let y = top;
  for (const { label, value } of facts) {
    const line = room(sheet, y, 20);
    sheet.fillColor('#4d5a68');
    drawText(sheet, label, { y: line, width: 120 });
    sheet.fillColor('black');
    y = drawText(sheet, value, { y: line, x: page.margin + 120, width: inner - 120, font: 'bold', lines: 2 }) + 3;
  }
  return y;
}

/** The seller on the left, the buyer on the right. */
function drawParties(sheet: Sheet, document: DocumentRecord, top: number): number {
  const width = inner / 2 - 10;
  const ends = partiesOf(document).map(({ heading, texts }, index) => {
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
  sheet
    .moveTo(page.margin, end + 3)
    .lineTo(page.width - page.margin, end + 3)
    .lineWidth(0.5)
    .stroke('#c8ced6');
  return end + 3;
}
