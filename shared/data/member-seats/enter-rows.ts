import { isDeepStrictEqual } from 'node:util';
import type { EventRecord } from '../../domain/events/event.ts';
import { hasSeatAt, type SeatAccess } from '../../domain/members/own-seat.ts';
import type { MapRow, SeatMap } from '../../domain/seats/seat-map.ts';
import { isMemberOwner, memberIdOf, memberOwner, type TakenRow } from '../../domain/seats/seat-moves.ts';
import { changeEvent } from '../events/save.ts';
import { parseMember } from '../members/row.ts';
import { readMembershipConfig } from '../membership/config.ts';
import { changeSeats, readTakenRow } from '../seats/rows.ts';
import { readMapOfEvent } from '../seats/stock.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey, seatRowKey } from '../table/keys.ts';
import { retryRaces, retryUntil } from '../table/retry.ts';
import { memberSeatRowKey } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { followsMembers, seatAccessOf } from './seat-access.ts';

/** A row of the members' map. */
export type RowRef = Pick<TakenRow, 'section' | 'row'>;

export interface EnterDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly nowUnix: number;
  /** Waits until the next row may be written: a sale writes to the same table. */
  readonly pace?: () => Promise<void>;
}

/** How many rows are entered at the same time. */
const concurrency = 8;

/**
 * Makes rows of an event agree with the members whose seats are in them: enters the seats of members with access, and returns those of
 * members who have none. It is repeated if the event or the membership configuration changes meanwhile. Returns how many seats the rows
 * have of members. A seat that is sold stays sold; the audit reports it.
 */
export function enterRows(deps: EnterDeps, eventId: number, rows: readonly RowRef[]): Promise<number> {
  return retryUntil('The event changes too often to enter the seats of its members.', async () => {
    const before = await readFacts(deps, eventId);
    if (before === undefined) return 0;
    let seats = 0;
    for (let start = 0; start < rows.length; start += concurrency) {
      const some = rows.slice(start, start + concurrency).map(async (row) => {
        await deps.pace?.();
        return enterRow(deps, before, row);
      });
      for (const count of await Promise.all(some)) seats += count;
    }
    const after = await readFacts(deps, eventId);
    return after?.map === before.map && isDeepStrictEqual(after.access, before.access) ? seats : undefined;
  });
}

interface Facts {
  readonly eventId: number;
  readonly access: SeatAccess;
  readonly map: SeatMap;
}

/** Undefined if the event follows no members. Its map stays from now on: the names of the seats belong to it. */
async function readFacts({ table, orgId, nowUnix }: EnterDeps, eventId: number): Promise<Facts | undefined> {
  const keepsMap = (event: EventRecord): EventRecord =>
    event.seatsUsed || !followsMembers(event, nowUnix) ? event : { ...event, seatsUsed: true };
  const [saved, config] = await Promise.all([
    changeEvent(table, orgId, eventId, keepsMap),
    readMembershipConfig(table, orgId, { consistent: true }),
  ]);
  if (saved === 'missing' || !followsMembers(saved.event, nowUnix)) return undefined;
  const map = await readMapOfEvent(table, orgId, saved.event);
  return map && { eventId, access: seatAccessOf(saved.event, config), map };
}

/**
 * One transaction writes the row of the event on the condition that neither it nor the members' row has changed since they were read. Every
 * change of a member that matters writes the members' row, so no outdated state is ever entered.
 */
function enterRow({ table, orgId }: EnterDeps, { eventId, access, map }: Facts, ref: RowRef): Promise<number> {
  const { section, row: name } = ref;
  const mapRow = map.sections.find((one) => one.section === section)?.rows.find(({ row }) => row === name);
  // The version of the map that the event keeps may not have the row.
  if (mapRow === undefined) return Promise.resolve(0);
  const key = seatRowKey(orgId, eventId, section, name);
  const ownKey = memberSeatRowKey(orgId, access.mapId, section, name);
  return retryRaces('row of seats', async () => {
    const [taken, own] = await Promise.all([readTakenRow(table, key, ref), readTakenRow(table, ownKey, ref)]);
    const wanted = await wantedOwners(table, orgId, { own, mapRow, access });
    const takes = [...wanted].flatMap(([label, owner]) => {
      const has = taken.owners.get(label);
      return has === owner || (has !== undefined && !isMemberOwner(has)) ? [] : [{ label, owner }];
    });
    const returns = [...taken.owners].flatMap(([label, owner]) =>
      isMemberOwner(owner) && !wanted.has(label) ? [{ label, owner }] : [],
    );
    if (takes.length + returns.length === 0) return wanted.size;
    const added = takes.filter(({ label }) => !taken.owners.has(label)).length;
    const refused = await transact(table, [
      {
        ConditionCheck: {
          TableName: table.name,
          Key: ownKey,
          ...(own.version === 0
            ? { ConditionExpression: 'attribute_not_exists(moves)' }
            : { ConditionExpression: 'moves = :seen', ExpressionAttributeValues: { ':seen': own.version } }),
        },
      },
      changeSeats(table, key, {
        takes,
        returns,
        freed: returns.length - added,
        size: mapRow.seats.length,
        seenVersion: taken.version,
      }),
    ]);
    return refused.length === 0 ? wanted.size : undefined;
  });
}

interface WantedRow {
  readonly own: TakenRow;
  readonly mapRow: MapRow;
  readonly access: SeatAccess;
}

/** Who should have the seats of a row, of the members that have one in it. */
export async function wantedOwners(
  table: Table,
  orgId: string,
  { own, mapRow, access }: WantedRow,
): Promise<ReadonlyMap<string, string>> {
  const keys = [...own.owners.values()].filter(isMemberOwner).map((owner) => memberKey(orgId, memberIdOf(owner)));
  const members = (await batchGet(table, keys, { consistent: true })).map(parseMember);
  const seated = new Set(
    members.filter((member) => hasSeatAt(member, access)).map(({ memberId }) => memberOwner(memberId)),
  );
  const labels = new Set(mapRow.seats.map(({ label }) => label));
  return new Map([...own.owners].filter(([label, owner]) => labels.has(label) && seated.has(owner)));
}
