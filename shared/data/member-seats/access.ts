import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { eventsAccess } from '../events/access.ts';
import { jobsAccess } from '../jobs/access.ts';
import { membershipAccess } from '../membership/access.ts';
import { seatMapsAccess } from '../seat-maps/access.ts';

const enterRows = [
  eventsAccess.changeEvent,
  membershipAccess.readMembershipConfig,
  seatMapsAccess.readMapVersion,
  { SEM: ['ConditionCheckItem', 'GetItem'], SEA: ['GetItem', 'UpdateItem'], MEM: ['BatchGetItem'] },
] satisfies Access;
const openEventsOnMap = { EVT: ['Query'] } satisfies Access;

/** What the functions of this folder do to the table. */
export const memberSeatsAccess = {
  enterNextSeats: [enterRows, { SEM: ['Query'] }],
  followRows: [enterRows, openEventsOnMap, jobsAccess.jobPuts],
  openEventsOnMap,
  eventsWithSeatTaken: [openEventsOnMap, { SEA: ['BatchGetItem'] }],
  wantedOwners: { MEM: ['BatchGetItem'] },
  readMemberSection: { SEM: ['Query'] },
} satisfies FunctionAccess;
