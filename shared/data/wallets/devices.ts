import { createHash } from 'node:crypto';
import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { passDeviceKey, passDevicePartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A pass on a device: Apple's id of the device, and the serial number of the pass. */
export interface PassOnDevice {
  readonly deviceId: string;
  readonly serialNumber: string;
}

/** Longer than a season. A device that still has the pass then registers again when it is opened. */
const keptSeconds = 400 * 86_400;

/** Nobody keeps more passes, and a list of changes reads every one. */
const maxPasses = 100;

/** The device's id is Apple's and random; its hash keeps it out of keys. */
const hashOf = (deviceId: string): string => createHash('sha256').update(deviceId).digest('base64url');

/** Remembers that a device has a pass, and how to tell it of changes. */
export async function registerDevice(
  table: Table,
  {
    deviceId,
    serialNumber,
    pushToken,
    nowUnix,
  }: PassOnDevice & { readonly pushToken: string; readonly nowUnix: number },
): Promise<'registered' | 'known'> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: passDeviceKey(hashOf(deviceId), serialNumber),
      UpdateExpression: 'SET push = :push, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':push': pushToken, ':ttl': nowUnix + keptSeconds },
      ReturnValues: 'ALL_OLD',
    }),
  );
  return Attributes === undefined ? 'registered' : 'known';
}

export async function unregisterDevice(table: Table, { deviceId, serialNumber }: PassOnDevice): Promise<void> {
  await table.client.send(
    new DeleteCommand({ TableName: table.name, Key: passDeviceKey(hashOf(deviceId), serialNumber) }),
  );
}

const Row = v.object({ sk: v.string() });

/** The serial numbers of the passes on a device. */
export async function passesOfDevice(table: Table, deviceId: string): Promise<readonly string[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': passDevicePartition(hashOf(deviceId)) },
      Limit: maxPasses,
    }),
  );
  return Items.map((item) => v.parse(Row, item).sk);
}
