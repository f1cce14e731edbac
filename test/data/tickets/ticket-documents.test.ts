import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as retrievePdf } from '../../../functions/api/tickets/retrieve-ticket-pdf.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { retrieveTicketPdf } from '../../../shared/operations/tickets/retrieve-ticket-pdf.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { callHandler, type HandlerCall } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { type GivenTickets, givenTickets, withLink } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Downloads the PDF of a ticket. */
async function pdfOf(given: GivenTickets, call: HandlerCall = given.by(), ticketId = given.ticketId) {
  const { file } = await callHandler(retrieveTicketPdf, retrievePdf, { params: { ticket_id: String(ticketId) } }, call);
  if (!(file instanceof FileOutput)) throw new Error('The response is not a file.');
  return file;
}

describe('retrieve-ticket-pdf', () => {
  it('returns a PDF for a key, for the fan who holds the ticket, and for its link', async () => {
    const given = await givenTickets(table);
    const { link } = await given.retrieve();
    for (const call of [given.by(), given.by('ada'), await withLink(given, link)]) {
      const { bytes, fileName } = await pdfOf(given, call);
      expect(Buffer.from(bytes).toString('latin1')).toMatch(/^%PDF-1\.\d.*%%EOF\s*$/s);
      expect(fileName).toBe(`ticket-${given.ticketId}.pdf`);
    }
    await expect(pdfOf(given, given.by('grace'))).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  it('a link reaches no other ticket of the order', async () => {
    const given = await givenTickets(table);
    const call = await withLink(given, (await given.retrieve()).link);
    await expect(pdfOf(given, call, given.ticketId + 1)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  it('waits for the time of the barcode for fans and links; an API key gets it at any time', async () => {
    const given = await givenTickets(table, { price: { barcodeFromHours: 24 } });
    const { link } = await given.retrieve();
    given.clock.nowUnix = kickOffUnix - 86_401;
    expect((await pdfOf(given, given.by())).bytes.length).toBeGreaterThan(1_000);
    for (const call of [given.by('ada'), await withLink(given, link)]) {
      await expect(pdfOf(given, call)).rejects.toMatchObject({ code: 'barcode_not_yet' });
    }
    given.clock.nowUnix += 1;
    expect((await pdfOf(given, given.by('ada'))).bytes.length).toBeGreaterThan(1_000);
  });

  it('has none of a refunded ticket, and the link has ended', async () => {
    const given = await givenTickets(table);
    const call = await withLink(given, (await given.retrieve()).link);
    await given.refund();
    await expect(pdfOf(given)).rejects.toMatchObject({ code: 'ticket_not_active' });
    await expect(pdfOf(given, call)).rejects.toMatchObject({ code: 'link_invalid' });
  });

  it('has none for the link of a former holder', async () => {
    const given = await givenTickets(table);
    const call = await withLink(given, (await given.retrieve()).link);
    const accepted = await given.accept(await given.offer('grace@example.com', 'ada'));
    await expect(pdfOf(given, call)).rejects.toMatchObject({ code: 'link_invalid' });
    expect((await pdfOf(given, await withLink(given, accepted.link))).bytes.length).toBeGreaterThan(1_000);
  });
});
