import type { Table } from '../../shared/data/table/table.ts';
import type { StorefrontLimits } from '../../shared/domain/auth/storefront.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { aSeatMap, givenSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import type { OnSale } from './on-sale-event.ts';

const seatsInRow = 30;

interface SeatedOptions {
  readonly prices: number;
  readonly tickets: number;
  readonly limits?: StorefrontLimits;
  readonly orgId?: string;
  /** How many sections; as many as a stand has if it is absent. */
  readonly sections?: number;
}

/** An event that sells numbered seats, in rows of 30 with an aisle in the middle. Each price sells the sections of a zone. */
export async function givenSeatedEventOnSale(table: Table, options: SeatedOptions): Promise<OnSale> {
  const { prices, tickets, limits } = options;
  const orgId = await givenOrganisation(table, options.orgId ?? 'org_seated', { paymentAccountId: 'acct_simulated' });
  const { text: storefrontToken } = await givenStorefrontToken(table, orgId, limits ?? { perMinute: 1_000_000 });
  const rows = Math.ceil(tickets / seatsInRow);
  const rowsInSection = Math.ceil(rows / (options.sections ?? Math.max(2 * prices, Math.ceil(rows / 27))));
  const map = aSeatMap(
    Array.from({ length: rows }, (_, index) => {
      const section = Math.floor(index / rowsInSection);
      const seats = `1-${seatsInRow / 2}|${seatsInRow / 2 + 1}-${seatsInRow}`;
      return {
        section: `Block ${section + 1}`,
        row: String((index % rowsInSection) + 1),
        seats,
        zone: `Zone ${section % prices}`,
      };
    }),
  );
  const { seatMapId } = await givenSeatMap(table, orgId, { code: 'stadium', map });
  const { eventId } = await givenEvent(table, orgId, {
    code: 'final',
    startUnix: farFutureUnix,
    reservedSeating: true,
    seatingMapId: seatMapId,
    seatingVersion: 1,
  });
  const saved: OnSale['prices'][number][] = [];
  for (const [index, { zone }] of map.zones.entries()) {
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId, code: `c${index}`, zone });
    const price = { eventId, categoryId, code: `p${index}`, orderBy: index, capacity: null, seatsOnly: true };
    saved.push(await givenPrice(table, orgId, price));
  }
  return { orgId, eventId, storefrontToken, prices: saved, stocks: [], map };
}

/** The sections that a price sells. */
export function sectionsOfPrice(map: SeatMap, { prices }: OnSale, priceId: number): readonly string[] {
  const zone = map.zones[prices.findIndex((price) => price.priceId === priceId)]?.zone;
  const isInZone = ({ rows }: SeatMap['sections'][number]): boolean => rows[0]?.seats[0]?.zone === zone;
  return map.sections.filter(isInZone).map(({ section }) => section);
}
