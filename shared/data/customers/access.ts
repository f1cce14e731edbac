import type { FunctionAccess } from '../../domain/table-access.ts';
import { positionsAccess } from '../positions/access.ts';
import { tableAccess } from '../table/access.ts';

/** What the functions of this folder do to the table. */
export const customersAccess = {
  readCustomer: { CUS: ['GetItem'] },
  readAttributes: { CAT: ['GetItem'] },
  saveAttributes: { CAT: ['DeleteItem', 'PutItem'] },
  readCurrentConsents: { CNS: ['GetItem'] },
  currentConsentsOf: { CNS: ['BatchGetItem'] },
  listConsents: { CNS: ['Query'] },
  consentWrites: { CNS: ['PutItem'] },
  customerCheck: { CUS: ['ConditionCheckItem'] },
  customerWrites: [
    positionsAccess.positionChangePut,
    tableAccess.personHash,
    { CUS: ['GetItem', 'PutItem'], CUV: ['PutItem'] },
  ],
  setCustomerMetadata: [
    positionsAccess.positionChangePut,
    tableAccess.personHash,
    { CUS: ['GetItem', 'PutItem'], CUV: ['PutItem'], UNI: ['GetItem'] },
  ],
  findCustomer: { CUS: ['GetItem'], UNI: ['GetItem'] },
  listCustomers: [positionsAccess.keysInOrder, { CUS: ['BatchGetItem', 'GetItem', 'Query'], CUV: ['Query'] }],
  findCustomerWithVerifiedAddress: { CUV: ['Query'] },
  findOrCreateCustomer: [
    positionsAccess.positionChangePut,
    tableAccess.personHash,
    { CUS: ['GetItem', 'PutItem'], CUV: ['PutItem', 'Query'], UNI: ['GetItem', 'PutItem'] },
  ],
} satisfies FunctionAccess;
