import { readPriceList } from '../data/prices/read.ts';
import { readMapVersion } from '../data/seat-maps/seat-maps.ts';
import { closeSeats } from '../data/seats/rows.ts';
import { readSections, sectionsOf } from '../data/seats/shown.ts';
import { seatRowKey } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import { draftStatus, type EventRecord } from '../domain/events/event.ts';
import { maxChangedRows, versionChange } from '../domain/seats/other-version.ts';
import { noSeats } from '../domain/seats/seat-map.ts';

export type VersionRefusal =
  | { readonly reason: 'seating_version_missing' }
  | { readonly reason: 'zone_missing'; readonly category: string }
  /** Somebody has these seats, and the version does not have them. */
  | { readonly reason: 'seats_lost'; readonly seats: readonly string[] }
  | { readonly reason: 'too_many_rows'; readonly rows: number };

/**
 * What must be written with an event that sells another version of its map. Rows that lose seats are closed in the same transaction, so
 * that nobody who has read the event before can take such a seat.
 */
export async function seatVersionItems(
  table: Table,
  orgId: string,
  event: EventRecord & { readonly seatingMapId: number; readonly seatingVersion: number },
  version: number,
): Promise<{ readonly items: readonly TransactItem[] } | { readonly refusal: VersionRefusal }> {
  const { eventId, seatingMapId, seatingVersion, statusId } = event;
  const [before = noSeats, after] = await Promise.all([
    readMapVersion(table, orgId, seatingMapId, seatingVersion),
    readMapVersion(table, orgId, seatingMapId, version),
  ]);
  if (after === undefined) return { refusal: { reason: 'seating_version_missing' } };
  const zones = new Set(after.zones.map(({ zone }) => zone));
  const { categories } = await readPriceList(table, orgId, eventId, { consistent: true });
  const without = [...categories.values()].find(
    ({ status, zone }) => status === 'active' && zone !== null && !zones.has(zone),
  );
  if (without !== undefined) return { refusal: { reason: 'zone_missing', category: without.title } };
  const sections = [...new Set([...sectionsOf(before), ...sectionsOf(after)])];
  const taken = [...(await readSections(table, orgId, { eventId, sections })).values()].flat();
  const change = versionChange(before, after, taken);
  if ('lost' in change) return { refusal: { reason: 'seats_lost', seats: change.lost } };
  // Nobody takes a seat of a draft.
  const rows = statusId === draftStatus ? change.rows.filter(({ open }) => open.length > 0) : change.rows;
  if (rows.length > maxChangedRows) return { refusal: { reason: 'too_many_rows', rows: rows.length } };
  return { items: closeSeats(table, (section, row) => seatRowKey(orgId, eventId, section, row), rows) };
}
