import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MapSection, SeatMap } from '../../domain/seats/seat-map.ts';
import type { TakenRow } from '../../domain/seats/seat-moves.ts';
import { readMapVersion } from '../seat-maps/seat-maps.ts';
import { BriefMemory } from '../table/brief-memory.ts';
import { isConditionFailure } from '../table/failures.ts';
import { queryAll } from '../table/query.ts';
import { seatPictureKey, seatPicturesPartition } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';
import { readTakenSection } from './rows.ts';
import { sectionsOf, type TakenSections } from './shown.ts';

/**
 * The picture of a section: one bit for each seat, in the order of a version of the map, and the sum of the `moves` of its rows, by which
 * an older picture never replaces a newer one.
 */
const StoredPicture = v.object({ sk: v.string(), mapVersion: v.number(), moves: v.number(), bits: v.string() });

type SeatedEvent = Pick<EventRecord, 'eventId' | 'seatingMapId' | 'seatingVersion'>;

/** Draws the picture of a section again. Every change of a row is followed by a call, so the last one draws the last state. */
export async function drawSection(
  table: Table,
  orgId: string,
  { eventId, seatingMapId, seatingVersion }: SeatedEvent,
  section: string,
): Promise<void> {
  if (seatingMapId === null || seatingVersion === null) return;
  const map = await readMapVersion(table, orgId, seatingMapId, seatingVersion);
  const ofMap = map?.sections.find((one) => one.section === section);
  if (ofMap === undefined) return;
  const rows = await readTakenSection(table, orgId, { eventId, section });
  const Item = pictureItem(orgId, { eventId, mapVersion: seatingVersion }, ofMap, rows);
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item,
        ConditionExpression: 'attribute_not_exists(pk) OR moves < :moves',
        ExpressionAttributeValues: { ':moves': Item.moves },
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}

/** The picture of a section as it is stored, for data that is written as a whole. */
export function pictureItem(
  orgId: string,
  { eventId, mapVersion }: { readonly eventId: number; readonly mapVersion: number },
  ofMap: MapSection,
  taken: readonly TakenRow[],
) {
  const moves = taken.reduce((sum, row) => sum + row.moves, 0);
  return { ...seatPictureKey(orgId, eventId, ofMap.section), mapVersion, moves, bits: bitsOf(ofMap, taken) };
}

function bitsOf({ rows }: MapSection, taken: readonly TakenRow[]): string {
  const owners = new Map(taken.map((row) => [row.row, row.owners]));
  const seats = rows.flatMap(({ row, seats: inRow }) => inRow.map(({ label }) => owners.get(row)?.has(label) ?? false));
  const bytes = Buffer.alloc(Math.ceil(seats.length / 8));
  for (const [place, isTaken] of seats.entries()) {
    if (isTaken) bytes.writeUInt8(bytes.readUInt8(place >> 3) | (1 << (place & 7)), place >> 3);
  }
  return bytes.toString('base64');
}

/** Whether a seat of a section is taken: by its place in the section, or by its row and label. */
export type IsTaken = (place: number, row: string, label: string) => boolean;

function takenBy(bits: string): (place: number) => boolean {
  const bytes = Buffer.from(bits, 'base64');
  return (place) => (((bytes[place >> 3] ?? 0) >> (place & 7)) & 1) === 1;
}

function rowsOf({ section, rows }: MapSection, bits: string): readonly TakenRow[] {
  const isTaken = takenBy(bits);
  let place = 0;
  return rows.map(({ row, seats }) => {
    const owners = new Map<string, string>();
    for (const { label } of seats) {
      if (isTaken(place)) owners.set(label, '');
      place += 1;
    }
    return { section, row, owners, moves: 0 };
  });
}

type StoredPictures = ReadonlyMap<string, v.InferOutput<typeof StoredPicture>>;

const kept = new BriefMemory<StoredPictures>(1_000);

interface Shown {
  readonly event: SeatedEvent;
  readonly map: SeatMap;
}

/** The whole event as a web page shows it, from the pictures of its sections. One without a picture has all its seats: every take draws it. */
export async function readPicture(
  table: Table,
  orgId: string,
  { event, map }: Shown,
  nowMs: number,
): Promise<TakenSections> {
  const pictures = await readPictures(table, orgId, event, nowMs);
  const drawn = sectionsOf(map).map(async (section): Promise<[string, readonly TakenRow[]]> => {
    const picture = pictures.get(section);
    if (picture === undefined) return [section, []];
    // An event can change to another version of its map. A picture is read by the version that it was drawn with.
    const drawnMap = await readMapVersion(table, orgId, event.seatingMapId ?? 0, picture.mapVersion);
    const ofMap = drawnMap?.sections.find((one) => one.section === section);
    return [section, ofMap === undefined ? [] : rowsOf(ofMap, picture.bits)];
  });
  return new Map(await Promise.all(drawn));
}

/** The same for a price list, which only counts seats: without a record for each row of a stadium. */
export async function readShownSeats(
  table: Table,
  orgId: string,
  { event, map }: Shown,
  nowMs: number,
): Promise<(section: MapSection) => IsTaken> {
  const pictures = await readPictures(table, orgId, event, nowMs);
  const isOfOtherVersion = [...pictures.values()].some(({ mapVersion }) => mapVersion !== event.seatingVersion);
  if (isOfOtherVersion) return takenInRows(await readPicture(table, orgId, { event, map }, nowMs));
  return ({ section }) => takenBy(pictures.get(section)?.bits ?? '');
}

function readPictures(table: Table, orgId: string, { eventId }: SeatedEvent, nowMs: number): Promise<StoredPictures> {
  return kept.read(table, { name: `${orgId}#${eventId}`, nowMs }, async () => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': seatPicturesPartition(orgId, eventId) },
    });
    return new Map(items.map((item) => [String(item.sk), v.parse(StoredPicture, item)]));
  });
}

/** Whether seats are taken in rows that were read. */
export function takenInRows(sections: TakenSections): (section: MapSection) => IsTaken {
  return ({ section }) => {
    const owners = new Map((sections.get(section) ?? []).map((row) => [row.row, row.owners]));
    return (_, row, label) => owners.get(row)?.has(label) ?? false;
  };
}
