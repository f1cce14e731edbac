import type { Access, FunctionAccess } from '../../domain/table-access.ts';

const readDelivery = { DLV: ['GetItem'] } satisfies Access;
const moveDelivery = { DLV: ['PutItem'], DUE: ['PutItem', 'DeleteItem'] } satisfies Access;

/** What the functions of this folder do to the table. */
export const webhookRowsAccess = {
  readEndpoint: { HOOK: ['GetItem'] },
  listEndpoints: { HOOK: ['Query'] },
  createEndpoint: { HOOK: ['PutItem', 'UpdateItem'] },
  changeEndpoint: { HOOK: ['GetItem', 'PutItem'] },
  deleteEndpoint: { HOOK: ['DeleteItem', 'UpdateItem'], BRK: ['DeleteItem'], RPL: ['DeleteItem'] },
  readDelivery,
  listDeliveries: { DLV: ['Query'] },
  readBacklog: { DLV: ['Query'] },
  putDelivery: { DLV: ['PutItem'], DUE: ['PutItem'] },
  claimDelivery: { DLV: ['UpdateItem'] },
  releaseDelivery: { DLV: ['UpdateItem'] },
  moveDelivery,
  removeDelivery: { DLV: ['DeleteItem'], DUE: ['DeleteItem'] },
  redeliver: [readDelivery, moveDelivery],
  readEndpointState: { BRK: ['GetItem'] },
  endpointStateUpdate: { BRK: ['UpdateItem'], DUE: ['PutItem', 'DeleteItem'] },
  endpointStateReset: { BRK: ['UpdateItem'], DUE: ['PutItem'] },
  takeSendSlot: { BRK: ['UpdateItem'] },
  endSendSlot: { BRK: ['UpdateItem'] },
  leaseBacklog: { BRK: ['UpdateItem'] },
  changeLease: { BRK: ['UpdateItem'] },
  startReplay: { RPL: ['PutItem'], DUE: ['PutItem'] },
  readReplay: { RPL: ['GetItem'] },
  moveReplay: { RPL: ['PutItem', 'DeleteItem'], DUE: ['PutItem', 'DeleteItem'] },
} satisfies FunctionAccess;
