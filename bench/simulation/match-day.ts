import { issueGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { saveGate } from '../../shared/data/gates/gates.ts';
import { ticketItem } from '../../shared/data/orders/barcode-row.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { aTicket } from '../../tools/fixtures/orders.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { makeGateToken } from '../../tools/fixtures/signing-key.ts';

export interface SimulatedTicket {
  readonly barcode: string;
  /** The code of the stand. */
  readonly code: string;
}

/** A stadium on a match day: gates with their tokens, and a ticket for each person. */
export interface MatchDay {
  readonly orgId: string;
  readonly eventId: number;
  readonly gates: readonly { readonly gateId: number; readonly token: string; readonly code: string }[];
  readonly tickets: readonly SimulatedTicket[];
}

const stands = ['east', 'west'] as const;

export async function givenStadium(
  table: Table,
  { people, gates, startUnix }: { readonly people: number; readonly gates: number; readonly startUnix: number },
): Promise<MatchDay> {
  const orgId = await givenOrganisation(table, 'org_stadium');
  const { eventId } = await givenEvent(table, orgId, { code: 'match', startUnix });
  const prices = await Promise.all(
    stands.map(async (code) => {
      const { categoryId, title } = await givenPriceCategory(table, orgId, { eventId, code });
      return { code, title, price: await givenPrice(table, orgId, { eventId, categoryId, capacity: people }) };
    }),
  );
  const standOf = (index: number) => prices[index % prices.length] ?? prices[0];
  const tickets = Array.from({ length: people }, (_, index) => ({ stand: standOf(index), index }));
  const items = tickets.map(({ stand, index }) => ({
    barcode: `T${String(index).padStart(9, '0')}`,
    code: stand?.code ?? '',
    record: {
      ...aTicket({
        barcode: `T${String(index).padStart(9, '0')}`,
        priceId: stand?.price.priceId ?? 0,
        priceIndex: stand?.price.index ?? 0,
        categoryId: stand?.price.categoryId ?? 0,
        categoryTitle: stand?.title ?? '',
        ticketName: `Person ${index}`,
      }),
      ticketId: 64 * (index + 1) + 1,
      orderId: 64 * (index + 1),
      eventId,
      status: 1,
      emailAddress: `person${index}@example.com`,
      sectionLabel: null,
      subSectionTitle: null,
      seatAisle: null,
      seatRow: null,
      seatTitle: null,
      updatedUnix: startUnix - 86_400,
    },
  }));
  for (let from = 0; from < items.length; from += 5_000) {
    await putItems(
      table,
      items.slice(from, from + 5_000).map(({ record }) => ticketItem(orgId, record as never)),
    );
  }
  return {
    orgId,
    eventId,
    gates: await givenGates(table, orgId, gates),
    tickets: items.map(({ barcode, code }) => ({ barcode, code })),
  };
}

async function givenGates(table: Table, orgId: string, count: number): Promise<MatchDay['gates']> {
  const made: MatchDay['gates'][number][] = [];
  for (let gateId = 1; gateId <= count; gateId += 1) {
    const code = stands[gateId % stands.length] ?? '';
    await saveGate(table, orgId, {
      gateId,
      name: `Gate ${gateId}`,
      priceCategories: [code],
      membershipCategories: 'all',
    });
    const fields = { label: null, gates: [gateId], events: 'all', createdUnix: 1, expiresUnix: null } as const;
    const { text: token } = await issueGateToken(table, orgId, fields, makeGateToken);
    made.push({ gateId, token, code });
  }
  return made;
}
