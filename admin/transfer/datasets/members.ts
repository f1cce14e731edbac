import { MemberCreations } from '../../../shared/data/admin/member-creations.ts';
import { memberByNumber, saveMember } from '../../../shared/data/admin/save-member.ts';
import { findCustomer, readCustomer } from '../../../shared/data/customers/read.ts';
import { addToMemberCount, approximateMemberCount } from '../../../shared/data/members/count.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { reserveMemberNumbers } from '../../../shared/data/members/numbers.ts';
import { refreshMembersSince } from '../../../shared/data/members/refresh-changed-types.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { memberTypeCopy } from '../../../shared/data/membership/config-changes.ts';
import { readMapVersion } from '../../../shared/data/seat-maps/seat-maps.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { isRevived, soldColumnsChanged } from '../../../shared/domain/members/file-changes.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { type NumberSequence, parseSequenceNumber } from '../../../shared/domain/members/number.ts';
import { namedSeat } from '../../../shared/domain/members/own-seat.ts';
import { isCancelledMember } from '../../../shared/domain/members/status.ts';
import { seatNamesOf } from '../../../shared/domain/seats/seat-map.ts';
import { memberUpdated } from '../../../shared/mappers/member-events.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { defineDataset, type IsGiven, type SaveResult, type TransferContext } from '../dataset.ts';
import { changedMember, MemberRow, memberDefaults, memberOfRow, memberRow } from './member-row.ts';

const noType = { typeId: null, typeTitle: null, categoryId: null, categoryTitle: null, seatMapId: null };
const rowsReadAtOnce = 32;
const consistent = { consistent: true } as const;

export const members = defineDataset({
  name: 'members',
  plural: 'members',
  key: 'member_number',
  schema: MemberRow,
  async open(context) {
    const { table, orgId, clock } = context;
    let config = await readMembershipConfig(table, orgId, consistent);
    const seatNames = await readSeatNames(context, config);
    let created = 0;
    /** The rows of a file are mostly all new or all known, so the last row tells what to expect of the next. */
    let isProbablyNew = false;
    const creations = new MemberCreations(table, orgId);
    /** Numbers up to this one may be given to somebody who joins here. The file has reserved those after it. */
    let givenUpTo = Number.POSITIVE_INFINITY;
    const mayBeGiven = (number: string) => (parseSequenceNumber(number)?.last ?? Number.POSITIVE_INFINITY) <= givenUpTo;
    return {
      get defaults() {
        return { ...memberDefaults, created: unixSeconds(clock) };
      },
      async find(key) {
        const record = await memberByNumber(table, orgId, key);
        return record && toRow(record, config, context);
      },
      mergesOnSave: true,
      async save(row, isGiven, tried) {
        const isGivenHere = mayBeGiven(row.member_number);
        const result = await save(
          row,
          {
            isGiven,
            tried,
            seatNames,
            mayBeGiven: isGivenHere,
            creations: isProbablyNew && !isGivenHere ? creations : undefined,
          },
          config,
          context,
        );
        isProbablyNew = result === 'created';
        if (isProbablyNew) created += 1;
        return result;
      },
      async reserve(numbers) {
        let highest: NumberSequence | undefined;
        for await (const number of numbers) {
          const position = parseSequenceNumber(number);
          if (position !== undefined && position.last > (highest?.last ?? -1)) highest = position;
        }
        givenUpTo = highest === undefined ? 0 : await reserveMemberNumbers(table, orgId, highest);
      },
      async flush() {
        if (created > 0) await addToMemberCount(table, orgId, created);
        created = 0;
        config = await refreshMembersSince(table, orgId, config);
      },
    };
  },
  total: ({ table, orgId }) => approximateMemberCount(table, orgId),
  async *rows(context) {
    const config = await readMembershipConfig(context.table, context.orgId);
    for await (const records of everyMember(context.table, context.orgId, planMembers({}))) {
      // An import could not identify a member without a number.
      const numbered = records.filter(({ memberNumber }) => memberNumber !== null);
      for (let start = 0; start < numbered.length; start += rowsReadAtOnce) {
        const some = numbered.slice(start, start + rowsReadAtOnce);
        yield* await Promise.all(some.map((record) => toRow(record, config, context)));
      }
    }
  },
});

/** The names of the seats of each map that has seats. */
type SeatNames = ReadonlyMap<number, ReadonlySet<string>>;

async function readSeatNames({ table, orgId }: TransferContext, { seatMaps }: MembershipConfig): Promise<SeatNames> {
  const names = [...seatMaps.values()].map(
    async ({ seatMapId, mapVersion }): Promise<[number, ReadonlySet<string>]> => {
      const map = mapVersion === 0 ? undefined : await readMapVersion(table, orgId, seatMapId, mapVersion);
      return [seatMapId, new Set(map === undefined ? [] : seatNamesOf(map))];
    },
  );
  return new Map(await Promise.all(names));
}

interface Attempt {
  readonly seatNames: SeatNames;
  readonly isGiven: IsGiven;
  readonly tried: TriedWrites;
  readonly mayBeGiven: boolean;
  readonly creations: MemberCreations | undefined;
}

async function save(
  row: MemberRow,
  { isGiven, tried, mayBeGiven, creations, seatNames }: Attempt,
  config: MembershipConfig,
  { table, orgId, clock }: TransferContext,
): Promise<SaveResult> {
  const type =
    row.membership_type_code === null
      ? undefined
      : config.types.get(derivedId(orgId, 'type', row.membership_type_code));
  if (row.membership_type_code !== null && type === undefined) {
    return { rejected: `membership_type_code "${row.membership_type_code}" does not exist.` };
  }
  const userId =
    row.org_customer_id === null
      ? undefined
      : (await findCustomer(table, orgId, row.org_customer_id, consistent))?.userId;
  if (row.org_customer_id !== null && userId === undefined) {
    return { rejected: `org_customer_id "${row.org_customer_id}" does not exist.` };
  }
  const nowUnix = unixSeconds(clock);
  const referred = {
    ...(type === undefined ? noType : memberTypeCopy(config, type)),
    userId: userId ?? null,
    // Clients ask for changes since their last request. An old member that is imported now is new to them.
    updatedUnix: row.created < nowUnix ? nowUnix : null,
  };
  const saved = await saveMember(table, {
    orgId,
    memberNumber: row.member_number,
    nowUnix,
    metadata: row.metadata,
    tried,
    mayBeGiven,
    creations,
    // The card and the auto-renewal of the former customer have ended.
    moved: ({ after }) =>
      outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId: undefined }),
    judge: (before, after) =>
      refusalOf(before, after, { table, orgId, createdUnix: isGiven('created') ? row.created : undefined }),
    draft: (current) => {
      const fields = current ? changedMember(current, { row, referred, isGiven }) : memberOfRow(row, referred);
      return { ...fields, ownSeatMapId: ownSeatMapOf(current, fields, seatNames) };
    },
  });
  switch (saved.outcome) {
    case 'refused':
      return { rejected: saved.reason };
    case 'number_given': {
      const given = `member_number "${row.member_number}" was given to somebody who joined during the import.`;
      return { rejected: `${given} Nothing was changed: choose another number for the person of this row.` };
    }
    case 'seat_taken':
      return { rejected: `seat "${saved.seat}" belongs to another member.`, mayPassLater: true };
    case 'barcode_taken':
      return { rejected: `barcode "${saved.barcode}" belongs to another member or a ticket.`, mayPassLater: true };
    default:
      return saved.outcome;
  }
}

interface Judged extends Pick<TransferContext, 'table' | 'orgId'> {
  /** When the person of the row became a member, if the file says it. */
  readonly createdUnix: number | undefined;
}

/**
 * Why a file may not make this change. Of a member with a term that was sold here, it may change names, contact data, card and seat.
 * The terms are read after the member: an order that sells another term changes the member, and then this change is judged again.
 */
async function refusalOf(
  before: MemberRecord,
  after: MemberRecord,
  { table, orgId, createdUnix = before.createdUnix }: Judged,
): Promise<string | undefined> {
  if (isRevived(before, after)) return 'membership_member_status_id is 3 (cancelled), which is final.';
  const columns = soldColumnsChanged(before, after);
  const isOther = createdUnix !== before.createdUnix;
  if (columns.length === 0 && !isOther) return undefined;
  if ((await termsOfMember(table, orgId, before.memberId)).length === 0) return undefined;
  if (isOther)
    return `member_number "${before.memberNumber}" belongs to somebody who joined here at another time than created says.`;
  return `${columns.join(', ')} cannot be changed by a file: the membership was sold here.`;
}

/** The seat is the member's own if the map of the category has it. A cancelled member has none: then the file says where they sat. */
function ownSeatMapOf(
  current: MemberRecord | undefined,
  fields: Pick<MemberRecord, 'statusId' | 'seatMapId' | 'seatSection' | 'seatRow' | 'seatTitle'>,
  seatNames: SeatNames,
): number | null {
  if (isCancelledMember(fields)) return null;
  const seat = namedSeat(fields);
  if (current !== undefined && current.ownSeatMapId !== null && namedSeat(current) === seat)
    return current.ownSeatMapId;
  const names = fields.seatMapId === null ? undefined : seatNames.get(fields.seatMapId);
  return seat !== undefined && names?.has(seat) ? fields.seatMapId : null;
}

async function toRow(
  record: MemberRecord,
  config: MembershipConfig,
  { table, orgId }: TransferContext,
): Promise<MemberRow> {
  const { typeId, userId } = record;
  const customer = userId === null ? undefined : await readCustomer(table, orgId, userId);
  return memberRow(record, {
    membership_type_code: typeId === null ? null : (config.types.get(typeId)?.code ?? null),
    org_customer_id: customer?.orgCustomerId ?? null,
  });
}
