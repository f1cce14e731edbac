import { tableAccess } from '../data/table/access.ts';
import { webhookRowsAccess } from '../data/webhooks/access.ts';
import type { Access, FunctionAccess } from '../domain/table-access.ts';
import { outboxAccess } from '../outbox/access.ts';

/** Sending a delivery, and everything that its response leads to. */
const sending = [
  webhookRowsAccess.readDelivery,
  webhookRowsAccess.readBacklog,
  webhookRowsAccess.claimDelivery,
  webhookRowsAccess.releaseDelivery,
  webhookRowsAccess.moveDelivery,
  webhookRowsAccess.removeDelivery,
  webhookRowsAccess.changeEndpoint,
  webhookRowsAccess.readEndpointState,
  webhookRowsAccess.endpointStateUpdate,
  webhookRowsAccess.takeSendSlots,
  webhookRowsAccess.putDelivery,
  webhookRowsAccess.putAcknowledged,
  outboxAccess.outboxItems,
  outboxAccess.readFeedEvent,
  { BRK: ['BatchGetItem'], DLV: ['BatchGetItem'], FEED: ['BatchGetItem'], HOOK: ['BatchGetItem'] },
] satisfies Access;

/** What the functions of this folder do to the table. */
export const webhooksAccess = {
  fanOut: [
    webhookRowsAccess.listEndpoints,
    webhookRowsAccess.putDelivery,
    webhookRowsAccess.moveDelivery,
    { DUE: ['BatchWriteItem'] },
  ],
  settleEvents: [webhookRowsAccess.listEndpoints, { DLV: ['BatchGetItem'], DUE: ['BatchWriteItem'] }],
  deliver: sending,
  drainBacklog: sending,
  sweepDeliveries: [
    tableAccess.overdueHints,
    tableAccess.removeHint,
    webhookRowsAccess.readDelivery,
    webhookRowsAccess.readEndpoint,
    webhookRowsAccess.moveDelivery,
    webhookRowsAccess.removeDelivery,
  ],
  sweepBacklogs: [
    tableAccess.overdueHints,
    tableAccess.removeHint,
    webhookRowsAccess.readEndpointState,
    webhookRowsAccess.endpointStateUpdate,
  ],
  runReplays: [
    tableAccess.overdueHints,
    tableAccess.removeHint,
    webhookRowsAccess.readReplay,
    webhookRowsAccess.moveReplay,
    webhookRowsAccess.readEndpoint,
    webhookRowsAccess.readEndpointState,
    webhookRowsAccess.putDelivery,
    webhookRowsAccess.moveDelivery,
    outboxAccess.readFeed,
  ],
} satisfies FunctionAccess;
