import type { FunctionAccess } from '../../domain/table-access.ts';
import { codesAccess } from '../codes/access.ts';
import { countersAccess } from '../counters/access.ts';
import { customersAccess } from '../customers/access.ts';
import { eventsAccess } from '../events/access.ts';
import { jobsAccess } from '../jobs/access.ts';
import { journalAccess } from '../journal/access.ts';
import { memberSeatsAccess } from '../member-seats/access.ts';
import { membersAccess } from '../members/access.ts';
import { membershipAccess } from '../membership/access.ts';
import { ordersAccess } from '../orders/access.ts';
import { organisationsAccess } from '../organisations/access.ts';
import { plansAccess } from '../plans/access.ts';
import { positionsAccess } from '../positions/access.ts';
import { pricesAccess } from '../prices/access.ts';
import { receiptsAccess } from '../receipts/access.ts';
import { renewalsAccess } from '../renewals/access.ts';
import { seatMapsAccess } from '../seat-maps/access.ts';
import { seatsAccess } from '../seats/access.ts';
import { tableAccess } from '../table/access.ts';
import { termsAccess } from '../terms/access.ts';
import { waitingListAccess } from '../waiting-list/access.ts';
import { withdrawalsAccess } from '../withdrawals/access.ts';

/** What the functions of this folder do to the table. The audit writes nothing but its own position. */
export const auditAccess = {
  runAudit: [
    organisationsAccess.nextOrganisation,
    codesAccess.listCampaigns,
    codesAccess.listCodes,
    countersAccess.readSales,
    countersAccess.readAttended,
    customersAccess.readCustomer,
    customersAccess.currentConsentsOf,
    eventsAccess.readEvent,
    jobsAccess.readJob,
    journalAccess.entriesOfOrder,
    journalAccess.readJournal,
    membersAccess.readMember,
    ordersAccess.readOrderWithTickets,
    plansAccess.readPlan,
    receiptsAccess.readBook,
    receiptsAccess.receiptsOfOrder,
    renewalsAccess.readRenewal,
    pricesAccess.readPriceList,
    pricesAccess.readStock,
    positionsAccess.keysInOrder,
    seatMapsAccess.readMapVersion,
    seatsAccess.readTakenSection,
    seatsAccess.everySeatBlock,
    memberSeatsAccess.readMemberSection,
    memberSeatsAccess.wantedOwners,
    membershipAccess.readMembershipConfig,
    termsAccess.termsOfMember,
    waitingListAccess.readQueue,
    withdrawalsAccess.readWithdrawal,
    withdrawalsAccess.listWithdrawals,
    withdrawalsAccess.openWithdrawals,
    tableAccess.overdueHints,
    tableAccess.personHash,
    {
      AUD: ['GetItem', 'PutItem'],
      BAR: ['BatchGetItem'],
      BSK: ['BatchGetItem'],
      CUS: ['Query'],
      CUV: ['Query'],
      EVT: ['BatchGetItem', 'Query'],
      MEM: ['BatchGetItem', 'Query'],
      MPM: ['BatchGetItem', 'Query'],
      ORD: ['BatchGetItem', 'Query'],
      ORT: ['Query'],
      ORU: ['Query'],
      SBX: ['BatchGetItem', 'Query'],
      SCN: ['Query'],
      UNI: ['BatchGetItem'],
    },
  ],
} satisfies FunctionAccess;
