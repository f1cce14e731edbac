import type { Access, FunctionAccess } from '../../domain/table-access.ts';

const readDelivery = { DLV: ['GetItem'] } satisfies Access;
const moveDelivery = { DLV: ['PutItem'], DUE: ['PutItem', 'DeleteItem'] } satisfies Access;

/** What the functions of this folder do to the table. */
export const webhookRowsAccess = {
  readEndpoint: { HOOK: ['GetItem'] },
  listEndpoints: { HOOK: ['Query'] },
  createEndpoint: { HOOK: ['PutItem', 'UpdateItem'], BRK: ['PutItem'] },
  changeEndpoint: { HOOK: ['GetItem', 'PutItem'], BRK: ['UpdateItem'], DUE: ['PutItem'] },
  deleteEndpoint: { HOOK: ['DeleteItem', 'PutItem', 'UpdateItem'], BRK: ['DeleteItem'], RPL: ['DeleteItem'] },
  readDelivery,
  listDeliveries: { DLV: ['Query'] },
  readBacklog: { DLV: ['Query'] },
  putDelivery: { DLV: ['PutItem'], DUE: ['PutItem'] },
  claimNewDeliveries: { DLV: ['PutItem'] },
  putAcknowledged: { DLV: ['BatchWriteItem'], DUE: ['BatchWriteItem'] },
  claimDelivery: { DLV: ['UpdateItem'] },
  releaseDelivery: { DLV: ['UpdateItem'] },
  moveDelivery,
  removeDelivery: { DLV: ['DeleteItem'], DUE: ['DeleteItem'] },
  redeliver: [readDelivery, moveDelivery],
  readEndpointState: { BRK: ['GetItem'] },
  endpointStateUpdate: { BRK: ['UpdateItem'], DUE: ['PutItem', 'DeleteItem'] },
  takeSendSlots: { BRK: ['UpdateItem'] },
  countUnanswered: { BRK: ['UpdateItem'] },
  leaseBacklog: { BRK: ['UpdateItem'] },
  changeLease: { BRK: ['UpdateItem'] },
  startReplay: { RPL: ['PutItem'], DUE: ['PutItem'] },
  readReplay: { RPL: ['GetItem'] },
  moveReplay: { RPL: ['PutItem', 'DeleteItem'], DUE: ['PutItem', 'DeleteItem'] },
} satisfies FunctionAccess;
