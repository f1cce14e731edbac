import PDFDocument from 'pdfkit';
import { textColourOn } from '../domain/organisations/colour.ts';
import { areInFonts, fonts } from './fonts.ts';
import { blackRuns, qrCode } from './qr-code.ts';
import type { TicketFacts } from './ticket-facts.ts';

/** A4, in points; a US Letter page prints all of it. */
const page = { width: 595.28, height: 841.89, margin: 56 };
const textWidth = page.width - 2 * page.margin;
const codeSize = 227;
const labelWidth = 90;

/** The ticket on one page, with embedded fonts for Latin, Greek and Cyrillic. The ticket's own page shows other scripts. */
export function ticketPdf(facts: TicketFacts & { readonly barcode: string }, nowMs: number): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    // Without a font of its own pdfkit reads Helvetica's metrics from a file that a bundle does not have.
    font: '',
    lang: 'en',
    displayTitle: true,
    info: { Title: printed(facts.event), Author: printed(facts.organisation), CreationDate: new Date(nowMs) },
  });
  for (const [name, font] of Object.entries(fonts)) document.registerFont(name, font);
  const bytes = bytesOf(document);
  drawHeader(document, facts);
  const below = drawCode(document, facts.barcode, drawEvent(document, facts));
  drawFacts(document, facts, below);
  document.end();
  return bytes;
}

function bytesOf(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
}

/** The fonts have parts of other scripts, without what joins their letters. */
const scripts = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** A text as the fonts can print it; emoji, too, are on the page of the ticket only. Marks that turn the direction of writing are not printed. */
function printed(text: string): string {
  const plain = text.replace(/\p{Bidi_Control}/gu, '').normalize('NFC');
  return scripts.test(plain) && areInFonts(plain) ? plain : 'see the page of the ticket';
}

/** Draws a text of at most so many lines, and returns where it ends. */
function drawText(
  document: PDFKit.PDFDocument,
  text: string,
  { y, x = page.margin, width = textWidth, size, font = 'regular', lines = 1 }: TextStyle,
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

function drawHeader(document: PDFKit.PDFDocument, { organisation, colour }: TicketFacts): void {
  document.rect(0, 0, page.width, 96).fill([...colour]);
  document.fillColor([...textColourOn(colour)]);
  drawText(document, printed(organisation), { y: 34, size: 20, font: 'bold' });
  document.fillColor('black');
}

function drawEvent(document: PDFKit.PDFDocument, { event, starts, venue }: TicketFacts): number {
  const y = drawText(document, printed(event), { y: 132, size: 24, font: 'bold', lines: 2 });
  const below = drawText(document, starts, { y: y + 8, size: 13 });
  return venue === null ? below : drawText(document, printed(venue), { y: below + 2, size: 13 });
}

/** The code as vectors, which a printer draws sharply. Its text is below it, for a gate that must type it. */
function drawCode(document: PDFKit.PDFDocument, barcode: string, y: number): number {
  const rows = qrCode(barcode);
  const size = codeSize / rows.length;
  const [left, top] = [(page.width - codeSize) / 2, y + 24];
  for (const run of blackRuns(rows)) document.rect(left + run.x * size, top + run.y * size, run.width * size, size);
  document.fill('black');
  document.font('regular', 12).text(barcode, page.margin, top + codeSize + 2, { width: textWidth, align: 'center' });
  return document.y + 24;
}

function drawFacts(document: PDFKit.PDFDocument, { holder, place, price }: TicketFacts, top: number): void {
  const named = holder === null ? [] : [{ label: 'Name', value: holder }];
  let y = top;
  for (const { label, value } of [...named, ...place, { label: 'Ticket', value: price }]) {
    document
      .moveTo(page.margin, y)
      .lineTo(page.width - page.margin, y)
      .lineWidth(0.5)
      .stroke('#c8ced6');
    document.fillColor('#4d5a68');
    drawText(document, label, { y: y + 7, size: 11, width: labelWidth });
    document.fillColor('black');
    const [x, width] = [page.margin + labelWidth, textWidth - labelWidth];
    y = drawText(document, printed(value), { y: y + 5, size: 13, font: 'bold', x, width, lines: 2 }) + 6;
  }
}
