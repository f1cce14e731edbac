import type { FunctionAccess } from '../../domain/table-access.ts';
import { customersAccess } from '../customers/access.ts';
import { membershipAccess } from '../membership/access.ts';

/** What the functions of this folder do to the table. */
export const membersAccess = {
  readMember: { MEM: ['GetItem'] },
  readPage: { MEM: ['Query'] },
  readNumberedPage: { MEM: ['Query'] },
  readMembersIfFew: { MEM: ['Query'] },
  everyMember: { MEM: ['Query'] },
  approximateMemberCount: { SEQ: ['GetItem'] },
  paidTypesOf: { MEE: ['Query'], MEM: ['GetItem'] },
  createMember: [
    customersAccess.readCustomer,
    membershipAccess.readTypeForMember,
    { BAR: ['PutItem'], MEE: ['PutItem'], MEM: ['PutItem'], SEQ: ['UpdateItem'], UNI: ['PutItem'] },
  ],
  /** Of the row alone: only the CLI changes a barcode or an email address. */
  changeMember: { MEM: ['GetItem', 'PutItem'] },
  changeMembers: { MEM: ['BatchGetItem', 'PutItem'] },
} satisfies FunctionAccess;
