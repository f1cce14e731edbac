import { codesAccess } from '../data/codes/access.ts';
import { eventsAccess } from '../data/events/access.ts';
import { jobsAccess } from '../data/jobs/access.ts';
import { memberSeatsAccess } from '../data/member-seats/access.ts';
import { membersAccess } from '../data/members/access.ts';
import { membershipAccess } from '../data/membership/access.ts';
import { ordersAccess } from '../data/orders/access.ts';
import { phasesAccess } from '../data/phases/access.ts';
import { pricesAccess } from '../data/prices/access.ts';
import { seatMapsAccess } from '../data/seat-maps/access.ts';
import { seatsAccess } from '../data/seats/access.ts';
import type { FunctionAccess } from '../domain/table-access.ts';

const isSoldOrHeld = [
  ordersAccess.hasOrders,
  pricesAccess.readStock,
  seatMapsAccess.readMapVersion,
  seatsAccess.readTakenSection,
];

const seatsJob = [membershipAccess.readMembershipConfig, jobsAccess.jobPuts];

const createMembership = [
  membershipAccess.readConfigRows,
  memberSeatsAccess.openEventsOnMap,
  jobsAccess.jobPuts,
  { MCF: ['PutItem'] },
] as const;
const updateMembership = [...createMembership, membersAccess.approximateMemberCount];

const savePhase = [
  pricesAccess.readPricedEvent,
  membershipAccess.readMembershipTypes,
  codesAccess.readCampaign,
  phasesAccess.savePhases,
];

const savePrice = [
  pricesAccess.savePrice,
  pricesAccess.readPricedEvent,
  membershipAccess.readMembershipTypes,
  isSoldOrHeld,
];

/** What the functions of this folder do to the table. */
export const catalogueAccess = {
  createEvent: [eventsAccess.writeEvent, eventsAccess.readVenue, membershipAccess.readSeatMap, seatsJob],
  updateEvent: [
    eventsAccess.writeEvent,
    eventsAccess.readVenue,
    membershipAccess.readSeatMap,
    isSoldOrHeld,
    pricesAccess.readPriceList,
    seatsAccess.takeSeats,
    seatsJob,
    jobsAccess.readJob,
  ],
  copyEvent: [
    eventsAccess.writeEvent,
    pricesAccess.readPricedEvent,
    pricesAccess.readStock,
    pricesAccess.savePriceCategory,
    pricesAccess.savePool,
    pricesAccess.savePrice,
    phasesAccess.savePhases,
    seatsJob,
  ],
  saveVenue: [eventsAccess.readVenue, jobsAccess.jobPuts, { EVT: ['PutItem'] }],
  hasZone: [seatMapsAccess.readMapVersion],
  readPriceContext: [
    pricesAccess.readPricedEvent,
    pricesAccess.readStock,
    membershipAccess.readMembershipTypes,
    seatMapsAccess.readMapVersion,
    seatsAccess.readTakenSection,
  ],
  blockSeats: [eventsAccess.changeEvent, seatMapsAccess.readMapVersion, seatsAccess.createSeatBlock],
  createPhase: savePhase,
  updatePhase: savePhase,
  deletePhase: [pricesAccess.readPricedEvent, phasesAccess.savePhases],
  savePrice,
  updatePrice: [savePrice, pricesAccess.readPrice, pricesAccess.stockOf],
  updatePool: [pricesAccess.savePool, pricesAccess.readPool, pricesAccess.stockOf],
  updatePriceCategory: [pricesAccess.savePriceCategory, pricesAccess.readPriceCategory],
  createMembershipType: createMembership,
  updateMembershipType: [...updateMembership, pricesAccess.stockOf],
  createMembershipCategory: createMembership,
  updateMembershipCategory: updateMembership,
  createPaymentOption: createMembership,
  updatePaymentOption: createMembership,
} satisfies FunctionAccess;
