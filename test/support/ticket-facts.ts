import type { TicketFacts } from '../../shared/documents/ticket-facts.ts';

/** The facts of a ticket that is shown. A test names only what matters to it. */
export function aTicketWithFacts(changes: Partial<TicketFacts> = {}): TicketFacts & { readonly barcode: string } {
  return {
    orgId: 'org_harbourfc',
    eventId: 7,
    ticketId: 65,
    transfers: 0,
    locale: 'en',
    organisation: 'Harbour City FC',
    colour: [11, 37, 69],
    event: 'Harbour City FC v Western Rangers',
    startUnix: 1_794_645_000,
    starts: 'Saturday 14 November 2026, 7:30 pm',
    venue: 'Harbour Stadium',
    holder: 'Ada Lovelace',
    place: [{ key: 'row', label: 'Row', value: '12' }],
    price: 'Adult',
    barcodeFrom: null,
    ...changes,
    barcode: changes.barcode ?? 'ABC123',
  };
}
