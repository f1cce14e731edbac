import { customerItems } from '../../shared/data/customers/items.ts';
import { customerPositions } from '../../shared/data/customers/positions.ts';
import { memberPositions } from '../../shared/data/members/positions.ts';
import { memberItems } from '../../shared/data/members/row.ts';
import { memberWordKeys, memberWordTrees } from '../../shared/data/members/words.ts';
import { configItem } from '../../shared/data/membership/config-rows.ts';
import { builtPositionItems } from '../../shared/data/positions/build.ts';
import { mapParts } from '../../shared/data/seat-maps/row.ts';
import { seatRowItem } from '../../shared/data/seats/rows.ts';
import { sequenceKey } from '../../shared/data/table/keys.ts';
import { memberSeatRowKey } from '../../shared/data/table/seat-keys.ts';
import { parseSequenceNumber } from '../../shared/domain/members/number.ts';
import { memberOwner } from '../../shared/domain/seats/seat-moves.ts';
import { type DemoData, demoData } from './data.ts';
import { demoHash } from './hash-key.ts';
import { seasonItems } from './season-items.ts';

/** The items of a demo organisation, identical to those that the write functions store for the same records. */
export function* demoItems(orgId: string, todayUnix: number): Generator<Record<string, unknown>> {
  const { config, seatMaps, customers, members, season } = demoData(orgId, todayUnix);
  for (const record of config) yield configItem(orgId, record);
  for (const { seatMapId, map } of seatMaps) yield* mapParts(orgId, seatMapId, 1, map).map((part) => ({ ...part }));
  for (const record of members) yield* memberItems(orgId, record);
  yield sequenceItem(orgId, members);
  yield* builtPositionItems({ orgId, resource: 'members' }, members.map(memberPositions));
  yield* builtPositionItems(
    { orgId, resource: memberWordTrees },
    members.flatMap((member) => memberWordKeys(member) ?? []),
  );
  for (const record of customers) yield* customerItems(orgId, record, demoHash);
  yield* builtPositionItems({ orgId, resource: 'customers' }, customers.map(customerPositions));
  yield* memberSeatItems(orgId, seatMaps, members);
  yield* seasonItems(orgId, season);
}

/** The rows of the members' maps, with the member who has each seat. */
function* memberSeatItems(
  orgId: string,
  seatMaps: DemoData['seatMaps'],
  members: DemoData['members'],
): Generator<Record<string, unknown>> {
  for (const { seatMapId, map } of seatMaps) {
    const owners = members.filter(({ ownSeatMapId }) => ownSeatMapId === seatMapId);
    for (const { section, rows } of map.sections) {
      for (const { row } of rows) {
        const inRow = owners.filter(({ seatSection, seatRow }) => seatSection === section && seatRow === row);
        if (inRow.length === 0) continue;
        const seats = inRow.map(({ seatTitle, memberId }): [string, string] => [
          seatTitle ?? '',
          memberOwner(memberId),
        ]);
        // Rows of members know neither their size nor an event.
        const { size: _, ...item } = seatRowItem(
          orgId,
          0,
          { section, row, owners: new Map(seats), version: inRow.length },
          0,
        );
        yield { ...item, ...memberSeatRowKey(orgId, seatMapId, section, row) };
      }
    }
  }
}

/** The number of members, and the highest member number, after which new members are numbered. */
function sequenceItem(orgId: string, members: DemoData['members']): Record<string, unknown> {
  const positions = members.flatMap(({ memberNumber }) => parseSequenceNumber(memberNumber ?? '') ?? []);
  const highest = positions.reduce((a, b) => (b.last > a.last ? b : a));
  return { ...sequenceKey(orgId), members: members.length, lastNumber: highest.last, numberWidth: highest.width };
}
