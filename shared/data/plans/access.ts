import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const plansAccess = {
  readPlan: { PLN: ['GetItem'] },
  readPlans: { PLN: ['BatchGetItem'] },
  savePlan: { PLN: ['PutItem'] },
  newPlanPuts: { PLN: ['PutItem'], DUE: ['PutItem'] },
  planPut: { PLN: ['PutItem'] },
  readOverduePlans: { PLN: ['Query'], MEM: ['BatchGetItem'] },
  readSavedCustomer: { PMT: ['GetItem'] },
  savedCustomerPut: { PMT: ['PutItem'] },
} satisfies FunctionAccess;
