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
 * The picture of a section: one bit for each seat, in the order of a version of the map, and the sum of the versions of its rows
 * (`moves`), by which an older picture never replaces a newer one.
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

/** Draws all sections of an event: for what the stream could not draw, or lost. */
export async function drawSections(table: Table, orgId: string, event: SeatedEvent): Promise<void> {
  const { seatingMapId, seatingVersion } = event;
  if (seatingMapId === null || seatingVersion === null) return;
  const map = await readMapVersion(table, orgId, seatingMapId, seatingVersion);
  for (const section of map === undefined ? [] : sectionsOf(map)) await drawSection(table, orgId, event, section);
}

/** The picture of a section as it is stored, for data that is written as a whole. */
export function pictureItem(
  orgId: string,
  { eventId, mapVersion }: { readonly eventId: number; readonly mapVersion: number },
  ofMap: MapSection,
  taken: readonly TakenRow[],
) {
  const version = taken.reduce((sum, row) => sum + row.version, 0);
  return { ...seatPictureKey(orgId, eventId, ofMap.section), mapVersion, moves: version, bits: bitsOf(ofMap, taken) };
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

/** Whether the seat at this place of a section is taken. */
export type IsTaken = (place: number) => boolean;

function takenBy(bits: string): IsTaken {
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
    return { section, row, owners, version: 0 };
  });
}

interface Shown {
  readonly event: SeatedEvent;
  readonly map: SeatMap;
}

const keptRows = new BriefMemory<TakenSections>(1_000);
const keptBits = new BriefMemory<ReadonlyMap<string, string>>(1_000);

const nameOf = (orgId: string, { eventId, seatingVersion }: SeatedEvent): string =>
  `${orgId}#${eventId}#${seatingVersion}`;

/** The whole event as a web page shows it, from the pictures of its sections. One without a picture has all its seats: every take draws it. */
export function readPicture(table: Table, orgId: string, shown: Shown, nowMs: number): Promise<TakenSections> {
  return keptRows.read(table, { name: nameOf(orgId, shown.event), nowMs }, async () => {
    const bits = await readBits(table, orgId, shown, nowMs);
    return new Map(shown.map.sections.map((ofMap) => [ofMap.section, rowsOf(ofMap, bits.get(ofMap.section) ?? '')]));
  });
}

/** The same for a price list, which only counts seats: without a record for each row of a stadium. */
export async function readShownSeats(
  table: Table,
  orgId: string,
  shown: Shown,
  nowMs: number,
): Promise<(section: MapSection) => IsTaken> {
  const bits = await readBits(table, orgId, shown, nowMs);
  return ({ section }) => takenBy(bits.get(section) ?? '');
}

/** The bits of each section, in the order of the event's map. */
function readBits(
  table: Table,
  orgId: string,
  { event, map }: Shown,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  return keptBits.read(table, { name: nameOf(orgId, event), nowMs }, async () => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': seatPicturesPartition(orgId, event.eventId) },
    });
    const bits = new Map<string, string>();
    for (const item of items) {
      const picture = v.parse(StoredPicture, item);
      const ofMap = map.sections.find(({ section }) => section === picture.sk);
      if (ofMap === undefined) continue;
      // An event can change to another version of its map. Seats of a picture are those of the version that it was drawn with.
      const isCurrent = picture.mapVersion === event.seatingVersion;
      bits.set(picture.sk, isCurrent ? picture.bits : bitsOf(ofMap, await rowsOfVersion(table, orgId, event, picture)));
    }
    return bits;
  });
}

async function rowsOfVersion(
  table: Table,
  orgId: string,
  { seatingMapId }: SeatedEvent,
  { sk, mapVersion, bits }: v.InferOutput<typeof StoredPicture>,
): Promise<readonly TakenRow[]> {
  const map = await readMapVersion(table, orgId, seatingMapId ?? 0, mapVersion);
  const ofMap = map?.sections.find(({ section }) => section === sk);
  return ofMap === undefined ? [] : rowsOf(ofMap, bits);
}

/** Whether seats are taken in rows that were read. */
export function takenInRows(sections: TakenSections): (section: MapSection) => IsTaken {
  return (ofMap) => takenBy(bitsOf(ofMap, sections.get(ofMap.section) ?? []));
}
