import type { FunctionAccess } from '../../domain/table-access.ts';
import { customersAccess } from '../customers/access.ts';
import { membershipAccess } from '../membership/access.ts';
import { positionsAccess } from '../positions/access.ts';

/** What the functions of this folder do to the table. */
export const membersAccess = {
  readMember: { MEM: ['GetItem'] },
  readPage: { MEF: ['Query'], MEM: ['BatchGetItem', 'Query'] },
  readNumberedPage: [positionsAccess.locatePosition, { MEF: ['Query'], MEM: ['BatchGetItem', 'Query'] }],
  readMembersIfFew: { MEM: ['Query'] },
  listAdmittedMembers: { MCF: ['Query'], MEM: ['Query'] },
  everyMember: { MEM: ['Query'] },
  approximateMemberCount: { SEQ: ['GetItem'] },
  membersOfCustomer: { MEU: ['Query'], MEM: ['BatchGetItem'] },
  createMember: [
    customersAccess.readCustomer,
    membershipAccess.readTypeForMember,
    positionsAccess.positionChangePut,
    { BAR: ['PutItem'], MEF: ['PutItem'], MEM: ['PutItem'], MEU: ['PutItem'], SEQ: ['UpdateItem'], UNI: ['PutItem'] },
  ],
  /** Of the row alone: only the CLI changes a barcode or the customer. */
  changeMember: [positionsAccess.positionChangePut, { MEF: ['PutItem'], MEM: ['GetItem', 'PutItem'] }],
  changeMembers: [positionsAccess.positionChangePut, { MEF: ['PutItem'], MEM: ['BatchGetItem', 'PutItem'] }],
} satisfies FunctionAccess;
