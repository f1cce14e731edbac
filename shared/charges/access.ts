import { journalAccess } from '../data/journal/access.ts';
import { membersAccess } from '../data/members/access.ts';
import { organisationsAccess } from '../data/organisations/access.ts';
import { plansAccess } from '../data/plans/access.ts';
import { tableAccess } from '../data/table/access.ts';
import type { Access, FunctionAccess } from '../domain/table-access.ts';
import { outboxAccess } from '../outbox/access.ts';
import { sandboxAccess } from '../payments/access.ts';

const charge = [
  plansAccess.readPlan,
  plansAccess.savePlan,
  membersAccess.changeMember,
  organisationsAccess.readOrganisation,
  journalAccess.journalPuts,
  outboxAccess.outboxItems,
  sandboxAccess.prepare,
  sandboxAccess.confirm,
  sandboxAccess.retrieve,
  sandboxAccess.cancel,
  tableAccess.putHint,
] satisfies Access;

/** What the functions of this folder do to the table. */
export const chargesAccess = {
  payInstalment: charge,
  sweepPlans: [charge, tableAccess.overdueHints, tableAccess.removeHint],
} satisfies FunctionAccess;
