import PDFDocument from 'pdfkit';
import { areInFonts, fonts } from './fonts.ts';

interface PdfInfo {
  readonly title: string;
  readonly author: string;
  readonly locale: string;
  readonly nowMs: number;
}

/** A document without a page, with embedded fonts for Latin, Greek and Cyrillic. */
export function newPdf({ title, author, locale, nowMs }: PdfInfo): PDFKit.PDFDocument {
  const document = new PDFDocument({
    autoFirstPage: false,
    // Without a font of its own pdfkit reads Helvetica's metrics from a file that a bundle does not have.
    font: '',
    lang: locale,
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: new Date(nowMs) },
  });
  for (const [name, font] of Object.entries(fonts)) document.registerFont(name, font);
  return document;
}

/** The bytes of a document, once it has ended. */
export function bytesOf(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
}

/** The fonts have parts of other scripts, without what joins their letters. */
const scripts = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** A text as the fonts can print it, or another one in its place. Marks that turn the direction of writing are not printed. */
export function printable(text: string, otherwise: string): string {
  const plain = text.replace(/\p{Bidi_Control}/gu, '').normalize('NFC');
  return scripts.test(plain) && areInFonts(plain) ? plain : otherwise;
}
