import { basketsAccess } from '../data/baskets/access.ts';
import { customersAccess } from '../data/customers/access.ts';
import { journalAccess } from '../data/journal/access.ts';
import { membersAccess } from '../data/members/access.ts';
import { membershipAccess } from '../data/membership/access.ts';
import { organisationsAccess } from '../data/organisations/access.ts';
import { plansAccess } from '../data/plans/access.ts';
import { renewalsAccess } from '../data/renewals/access.ts';
import { tableAccess } from '../data/table/access.ts';
import type { Access, FunctionAccess } from '../domain/table-access.ts';
import { outboxAccess } from '../outbox/access.ts';
import { sandboxAccess } from '../payments/access.ts';
import { salesAccess } from '../sales/access.ts';

const charge = [
  plansAccess.readPlan,
  plansAccess.savePlan,
  membersAccess.changeMember,
  organisationsAccess.readOrganisation,
  journalAccess.journalItems,
  outboxAccess.outboxItems,
  sandboxAccess.prepare,
  sandboxAccess.confirm,
  sandboxAccess.retrieve,
  sandboxAccess.cancel,
  tableAccess.putHint,
] satisfies Access;

const openRenewal = [
  membersAccess.readMember,
  membersAccess.boughtTogether,
  renewalsAccess.readRenewal,
  renewalsAccess.saveRenewal,
] satisfies Access;

const quoteRenewal = [
  membersAccess.activeTermsOf,
  membershipAccess.readRenewalOffer,
  organisationsAccess.readOrganisation,
] satisfies Access;

/** What the functions of this folder do to the table. */
export const chargesAccess = {
  payInstalment: charge,
  openRenewal,
  setPaymentMethod: [
    openRenewal,
    organisationsAccess.readOrganisation,
    plansAccess.readPlan,
    plansAccess.newPlanPuts,
    plansAccess.readSavedCustomer,
    plansAccess.savedCustomerPut,
    renewalsAccess.renewalHintPut,
    sandboxAccess.setUp,
    sandboxAccess.retrieveSetup,
  ],
  setAutoRenew: [
    openRenewal,
    quoteRenewal,
    plansAccess.readPlan,
    renewalsAccess.renewalHintPut,
    outboxAccess.outboxItems,
  ],
  chargeDue: [
    openRenewal,
    quoteRenewal,
    salesAccess.checkOut,
    basketsAccess.openBasket,
    customersAccess.readCustomer,
    membersAccess.ownerCheck,
    plansAccess.readPlan,
    outboxAccess.outboxItems,
    tableAccess.overdueHints,
    tableAccess.putHint,
    tableAccess.removeHint,
    charge,
  ],
} satisfies FunctionAccess;
