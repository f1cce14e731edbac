import { receiptPdf } from '../../shared/documents/receipt-pdf.ts';
import { ticketsPdf } from '../../shared/documents/ticket-pdf.ts';
import { aReceipt } from '../../test/support/receipts.ts';
import { aTicketWithFacts } from '../../test/support/ticket-facts.ts';

const later = 20;
const longLines = 42;

const printing = { locale: 'en-AU', timezone: 'Australia/Sydney', nowMs: 0 };
/** More prices than an order has in practice: three pages. */
const long = {
  ...aReceipt,
  lines: Array.from({ length: longLines / aReceipt.lines.length }, () => aReceipt.lines).flat(),
};

const drawings: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  ticket: () => ticketsPdf([aTicketWithFacts()], { nowMs: 0 }),
  receipt: () => receiptPdf(aReceipt, printing),
  'receipt of 42 lines': () => receiptPdf(long, printing),
};

/** The milliseconds of CPU time of one drawing. */
async function cpuOf(draw: () => Promise<Uint8Array>): Promise<number> {
  const before = process.cpuUsage();
  await draw();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Draws a document as an instance of a function does that has just started, and then more of them. Prints the times of all. */
async function measure(draw: () => Promise<Uint8Array>): Promise<void> {
  const times: number[] = [];
  for (let drawn = 0; drawn <= later; drawn += 1) times.push(await cpuOf(draw));
  process.stdout.write(JSON.stringify(times));
}

const draw = drawings[process.argv[2] ?? ''];
if (draw === undefined) throw new Error(`Name one of these: ${Object.keys(drawings).join(', ')}.`);
void measure(draw);
