import { eventsAccess } from '../data/events/access.ts';
import { membersAccess } from '../data/members/access.ts';
import { ordersAccess } from '../data/orders/access.ts';
import { organisationsAccess } from '../data/organisations/access.ts';
import { pricesAccess } from '../data/prices/access.ts';
import { walletsAccess } from '../data/wallets/access.ts';
import { outboxAccess } from '../outbox/access.ts';
import { defineWorker, type Worker } from './worker.ts';

/** What a pass shows: a ticket with its event, or a member. */
const passFactsAccess = [
  organisationsAccess.readOrganisation,
  ordersAccess.findOrderRef,
  ordersAccess.readOrderAt,
  pricesAccess.readTicketRules,
  membersAccess.readMember,
];

interface AppleRoute {
  readonly id: string;
  readonly summary: string;
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  /** Below the address that passes contain. Apple prescribes it. */
  readonly path: string;
  readonly streamed?: true;
  /** By default a few: everyone can call it. */
  readonly concurrency?: number;
  readonly effects: NonNullable<Parameters<typeof defineWorker>[0]['effects']>;
}

/** A route of Apple's web service for passes. */
const appleRoute = ({ id, summary, path, effects, concurrency = 5, ...source }: AppleRoute): Worker =>
  defineWorker({
    id,
    summary,
    module: `routes/${id}`,
    source: { kind: 'route', ...source, path: `/v1/apple/v1/${path}` },
    effects,
    runtime: { timeoutSeconds: 10, concurrency },
  });

interface LinkedPage {
  readonly id: string;
  readonly summary: string;
  readonly path: string;
  readonly concurrency: number;
}

/** A page at a link that people get in a mail. */
const linkedPage = ({ id, summary, path, concurrency }: LinkedPage) =>
  defineWorker({
    id,
    module: `routes/${id}`,
    summary,
    source: { kind: 'route', methods: ['GET'], path },
    effects: {
      access: [
        organisationsAccess.readOrganisation,
        ordersAccess.findOrderRef,
        ordersAccess.readOrderAt,
        pricesAccess.readTicketRules,
      ],
      secrets: ['links'],
      wallets: ['apple', 'google'],
    },
    // Everyone can call it, and must not take what the sale needs. 40 are 400 pages a second at 100 ms.
    runtime: { timeoutSeconds: 10, concurrency },
  });

/** The pages of a ticket and an order, and what devices with Apple passes call. */
export const documentWorkers: readonly Worker[] = [
  linkedPage({
    id: 'ticket-page',
    summary: 'The page at the link of a ticket, with its code for the gate and its documents',
    path: '/v1/tickets/{ticket_id}/page',
    concurrency: 40,
  }),
  linkedPage({
    id: 'order-page',
    summary: 'The page at the link of an order, with its status, its tickets and their documents',
    path: '/v1/orders/{order_id}/page',
    concurrency: 20,
  }),
  appleRoute({
    id: 'apple-pass-devices',
    summary: 'A device registers for the changes of an Apple pass, or unregisters',
    methods: ['POST', 'DELETE'],
    path: 'devices/{device_id}/registrations/{pass_type_id}/{serial_number}',
    effects: {
      access: [
        organisationsAccess.readOrganisation,
        walletsAccess.registerDevice,
        walletsAccess.unregisterDevice,
        ordersAccess.readOrderRef,
      ],
      secrets: ['links'],
    },
  }),
  appleRoute({
    id: 'apple-pass-changes',
    summary: 'The passes of a device that have changed since it asked last',
    methods: ['GET'],
    path: 'devices/{device_id}/registrations/{pass_type_id}',
    // A moved event: 100 phones a second ask what has changed, 0.1 s each, and for 1 s while instances start.
    concurrency: 30,
    effects: { access: [walletsAccess.passesOfDevice, ...passFactsAccess] },
  }),
  appleRoute({
    id: 'apple-pass-file',
    summary: 'The current version of an Apple pass, for a device that has it',
    methods: ['GET'],
    path: 'passes/{pass_type_id}/{serial_number}',
    streamed: true,
    // The same phones fetch their pass, 0.3 s each: to sign it takes 70 ms of a core, of which this memory has a third.
    concurrency: 60,
    effects: { access: passFactsAccess, secrets: ['links'], wallets: ['apple'], namesAddress: true },
  }),
  appleRoute({
    id: 'apple-pass-log',
    summary: 'Devices report why an Apple pass could not be added or updated',
    methods: ['POST'],
    path: 'log',
    effects: {},
  }),
  defineWorker({
    id: 'push-pass-changes',
    module: 'consumers/push-pass-changes',
    summary: 'Tells the phones with an Apple pass that it has changed, and Google what its passes show',
    source: { kind: 'queue', queue: 'passes', batchSize: 1, concurrency: { guarded: 5, other: 2 } },
    effects: {
      access: [
        outboxAccess.readFeedEvent,
        walletsAccess.pageOfDevices,
        walletsAccess.forgetDevice,
        organisationsAccess.readOrganisation,
        eventsAccess.readEvent,
        ordersAccess.readOrderWithTickets,
        membersAccess.readMember,
      ],
      wallets: ['apple', 'google'],
      tellsPhones: { perSecond: 100, answeredBy: 'apple-pass-file' },
    },
    // 500 phones at ten a second or more, and the last ones may be tried for half a minute.
    runtime: { timeoutSeconds: 120 },
  }),
  defineWorker({
    id: 'check-wallet-certificate',
    module: 'schedules/check-wallet-certificate',
    summary: 'Warns 60 days before the certificate of Apple passes ends',
    source: { kind: 'schedule', everyMinutes: 60 },
    effects: { wallets: ['apple'] },
    runtime: { concurrency: 1 },
  }),
];
