import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { customersAccess } from '../customers/access.ts';
import { membershipAccess } from '../membership/access.ts';
import { ordersAccess } from '../orders/access.ts';
import { positionsAccess } from '../positions/access.ts';
import { seatMapsAccess } from '../seat-maps/access.ts';
import { termsAccess } from '../terms/access.ts';

const newMemberWrites = [
  positionsAccess.positionChangePut,
  { BAR: ['PutItem'], MEM: ['PutItem'], MEU: ['PutItem'], SEQ: ['UpdateItem'], UNI: ['PutItem'] },
] satisfies Access;

/** The row, and that of the seat of a member: an event may have to follow. */
const changeMember = [
  positionsAccess.positionChangePut,
  { MEM: ['GetItem', 'PutItem'], SEM: ['UpdateItem'] },
] satisfies Access;

/** The trees of words and of members, the members found, and what leads from an id to them. */
const searchMembers = [
  positionsAccess.keysInOrder,
  { BAR: ['BatchGetItem'], MEM: ['BatchGetItem', 'GetItem', 'Query'], MEU: ['Query'] },
] satisfies Access;

/** What the functions of this folder do to the table. */
export const membersAccess = {
  readMember: { MEM: ['GetItem'] },
  ownerCheck: { MEM: ['ConditionCheckItem'] },
  memberCheck: { MEM: ['ConditionCheckItem'] },
  activeTermsOf: [termsAccess.termsOfMember],
  lastTermOf: [termsAccess.termsOfMember],
  boughtTogether: [termsAccess.termsOfMember, ordersAccess.readOrderWithTickets, { MEM: ['GetItem'] }],
  readMembersPage: searchMembers,
  readWholeList: [searchMembers, { MEM: ['Query'], SEQ: ['GetItem'] }],
  listAdmittedCards: { BAR: ['BatchGetItem'], MCF: ['Query'], MEM: ['Query'] },
  approximateMemberCount: { SEQ: ['GetItem'] },
  membersOfCustomer: { MEU: ['Query'], MEM: ['BatchGetItem'] },
  createMember: [customersAccess.readCustomer, membershipAccess.readTypeForMember, newMemberWrites],
  newMember: newMemberWrites,
  /** Of the row alone: only the CLI changes a barcode or the customer. */
  changeMember,
  setMemberSeat: [changeMember, membershipAccess.readSeatMap, seatMapsAccess.readMapVersion, { SEM: ['GetItem'] }],
  refreshNextMembers: [changeMember, { MCF: ['Query'], MEM: ['Query'] }],
  changeMembers: [positionsAccess.positionChangePut, { MEM: ['BatchGetItem', 'PutItem'] }],
} satisfies FunctionAccess;
