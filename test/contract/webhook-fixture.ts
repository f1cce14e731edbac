import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { webhookEndpointCountKey, webhookReplayKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { newDelivery } from '../../shared/data/webhooks/deliveries.ts';
import { deliveryItem } from '../../shared/data/webhooks/delivery-row.ts';
import { type EndpointRecord, endpointItem } from '../../shared/data/webhooks/endpoint-row.ts';
import { someDay } from '../support/members.ts';

const idText = (orgId: string): string => orgId.toUpperCase().replace('_', '0').padEnd(26, '0');

export const endpointIdOf = (orgId: string): string => `we_${idText(orgId)}`;
export const deliveryIdOf = (orgId: string): string => `dlv_${idText(orgId)}`;

/** One endpoint that subscribes to test events only, with one delivery, below the limit of endpoints and without a replay. */
export async function givenContractEndpoint(table: Table, orgId: string): Promise<void> {
  const TableName = table.name;
  const endpointId = endpointIdOf(orgId);
  const endpoint: EndpointRecord = {
    endpointId,
    url: 'http://127.0.0.1:9/',
    types: ['webhook.test'],
    description: null,
    ratePerSecond: 10,
    status: 'enabled',
    disabledReason: null,
    createdUnix: someDay,
    updatedUnix: null,
    secret: 'cannot be decrypted',
    formerSecret: null,
    formerUntilUnix: 0,
    version: 1,
  };
  const order = { orgId, endpointId, eventId: `evt_${idText(orgId)}`, type: 'member.created' } as const;
  const delivery = { ...newDelivery(order, someDay * 1000), status: 'dead', nextMs: null, hintUnix: null } as const;
  const items = [
    endpointItem(orgId, endpoint),
    deliveryItem(delivery),
    { ...webhookEndpointCountKey(orgId), endpoints: 1 },
  ];
  await Promise.all([
    ...items.map((Item) => table.client.send(new PutCommand({ TableName, Item }))),
    table.client.send(new DeleteCommand({ TableName, Key: webhookReplayKey(orgId, endpointId) })),
  ]);
}
