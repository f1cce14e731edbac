import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { organisationsAccess } from '../organisations/access.ts';

const readMembershipOffer = [
  { MCF: ['GetItem', 'Query'], STK: ['GetItem', 'PutItem', 'Query', 'UpdateItem'] },
  organisationsAccess.readOrganisation,
] satisfies Access;

/** What the functions of this folder do to the table. */
export const membershipAccess = {
  readSeatMap: { MCF: ['GetItem'] },
  readMembershipTypes: { MCF: ['Query'] },
  readTypesInOrder: { MCF: ['Query'] },
  readCategoriesInOrder: { MCF: ['Query'] },
  readActivePaymentOptions: { MCF: ['Query'] },
  hasPaymentOption: { MCF: ['GetItem'] },
  readMembershipOffer,
  readOfferedTypes: [{ MCF: ['Query'] }, organisationsAccess.readOrganisation],
  readRenewalOffer: readMembershipOffer,
  readTypesForMembers: { MCF: ['Query', 'ConditionCheckItem'] },
  readConfigRows: { MCF: ['Query'] },
  readMembershipConfig: { MCF: ['Query'] },
  readTypeForMember: { MCF: ['Query', 'ConditionCheckItem'] },
} satisfies FunctionAccess;
