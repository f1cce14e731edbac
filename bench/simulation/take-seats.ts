import * as v from 'valibot';
import type { Random } from '../../local/cloud/dynamodb/physics/random.ts';
import { pictureOf } from '../../shared/domain/seats/row-picture.ts';
import { type MapRow, type SeatMap, seatName } from '../../shared/domain/seats/seat-map.ts';
import { runTakes } from '../../shared/domain/seats/single-seats.ts';
import type { Response } from './lambda.ts';

/** What a buyer of seats knows and can do. */
interface SeatBuyer {
  readonly map: SeatMap;
  readonly priceId: number;
  readonly size: number;
  /** The sections that the price sells. */
  readonly sections: readonly string[];
  readonly random: Random;
  take(fields: Record<string, string>): Promise<Response>;
  look(section: string): Promise<Response>;
  think(): Promise<void>;
}

/** How long a buyer looks for seats. Each refusal reads the seats of a zone: without an end, a simulation takes hours. */
export const seatPatienceMs = 30 * 60_000;

/** Three in ten pick their seats in the plan; the others, and those who were too late three times, take the best ones. */
export async function takeSeats(buyer: SeatBuyer): Promise<Response> {
  const { priceId, size: quantity, random, take } = buyer;
  const picked = random() < 0.3 ? await pickSeats(buyer) : undefined;
  if (picked !== undefined) return picked;
  const best = await take(seatFields(priceId, { quantity, together: true }));
  if (best.status !== 409 || refusalOf(best.body).code !== 'seats_not_together') return best;
  return take(seatFields(priceId, { quantity, together: false }));
}

/** Undefined if the buyer found no seats, or was too late with those they liked. */
async function pickSeats(buyer: SeatBuyer): Promise<Response | undefined> {
  const { priceId, sections, random, take, look, think } = buyer;
  const section = sections[Math.floor(random() * sections.length)] ?? '';
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const shown = await look(section);
    if (shown.status !== 200) return shown;
    const liked = seatsThatLookGood(buyer, shown.body);
    if (liked === undefined) return undefined;
    await think();
    const first = await take(seatFields(priceId, liked));
    const { code, instead } = refusalOf(first.body);
    const taken = code === 'leaves_single_seat' && instead ? await take(seatFields(priceId, instead)) : first;
    if (taken.status !== 409) return taken;
  }
  return undefined;
}

const SeatRows = v.object({
  sections: v.array(v.object({ section: v.string(), rows: v.array(v.object({ row: v.string(), seats: v.string() })) })),
});

/** People click on one of about so many places that look best. */
const looksBest = 20;

/** The seats that a buyer clicks on in the picture of a section: free ones side by side, near the front; undefined if there are none. */
function seatsThatLookGood(buyer: SeatBuyer, shown: unknown): readonly string[] | undefined {
  const { map, size, random } = buyer;
  const { sections } = v.parse(SeatRows, shown);
  const runs = sections.flatMap(({ section, rows }) => {
    const inMap = map.sections.find((one) => one.section === section)?.rows ?? [];
    return rows.flatMap(({ seats }, index) => {
      const row = inMap[index];
      const open = new Set(row?.seats.flatMap(({ label }, place) => (seats[place] === '.' ? [] : [label])));
      return row === undefined ? [] : runsOf(section, row, open, size);
    });
  });
  return runs[Math.floor(random() * Math.min(runs.length, looksBest))];
}

function runsOf(
  section: string,
  row: MapRow,
  taken: ReadonlySet<string>,
  size: number,
): readonly (readonly string[])[] {
  const takes = runTakes(pictureOf(row, taken), size, () => true);
  return takes.map((take) => take.map((place) => seatName(section, row.row, row.seats[place]?.label ?? '')));
}

const Refused = v.object({
  error: v.object({ code: v.string() }),
  seats: v.optional(v.object({ instead: v.array(v.array(v.string())) })),
});

/** Why seats were refused, and which the service offers instead. */
function refusalOf(body: unknown): { readonly code: string; readonly instead: readonly string[] | undefined } {
  const { success, output } = v.safeParse(Refused, body);
  return success ? { code: output.error.code, instead: output.seats?.instead[0] } : { code: '', instead: undefined };
}

/** The form fields of picked seats, or of so many of the best. */
function seatFields(
  priceId: unknown,
  wanted: readonly string[] | { readonly quantity: number; readonly together: boolean },
): Record<string, string> {
  const price = { 'items[0][price_id]': String(priceId) };
  if (!('quantity' in wanted)) {
    return { ...price, ...Object.fromEntries(wanted.map((seat, index) => [`items[0][seats][${index}]`, seat])) };
  }
  return { ...price, 'items[0][quantity]': String(wanted.quantity), together: String(wanted.together) };
}
