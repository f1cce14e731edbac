import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import {
  type ItemKey,
  memberPassesPartition,
  passDeviceKey,
  passDevicePartition,
  ticketPassesPartition,
} from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** A pass on a device: Apple's id of the device, and the serial number of the pass. */
export interface PassOnDevice {
  readonly deviceId: string;
  readonly serialNumber: string;
}

/** Passes of the tickets of an event, or of the members of an organisation. Index by1 leads from them to the devices. */
interface PassGroup {
  readonly orgId: string;
  /** Null for members. */
  readonly eventId: number | null;
}

const partitionOf = ({ orgId, eventId }: PassGroup): string =>
  eventId === null ? memberPassesPartition(orgId) : ticketPassesPartition(orgId, eventId);

/** The ticket or member that a pass shows. */
export interface PassShows extends PassGroup {
  readonly id: number;
}

/** Passes that may have changed, by the range of the ids of their tickets or members. */
export interface PassRange extends PassGroup {
  readonly fromId: number;
  readonly toId: number;
}

/** Longer than a season. A device that still has the pass then registers again when it is opened. */
const keptSeconds = 400 * 86_400;

/** Nobody keeps more passes, and a list of changes reads every one. */
const maxPasses = 100;

/** The device's id is Apple's and random; its hash keeps it out of keys. */
const hashOf = (deviceId: string): string => createHash('sha256').update(deviceId).digest('base64url');

/** A person has a few devices. Whoever has the token of a pass could register any number, and one change would wake them all. */
const maxDevices = 20;
/** Those of the last holders of a ticket, whose passes have other serial numbers, are among them. */
const maxRead = 100;

/**
 * Remembers that a device has a pass, and how to tell it of changes. `full`: the pass is on 20 others. It is a bound and no count: the index
 * is a moment late, so a few more may slip in.
 */
export async function registerDevice(
  table: Table,
  {
    deviceId,
    serialNumber,
    shows,
    pushToken,
    nowUnix,
  }: PassOnDevice & { readonly shows: PassShows; readonly pushToken: string; readonly nowUnix: number },
): Promise<'registered' | 'known' | 'full'> {
  const key = passDeviceKey(hashOf(deviceId), serialNumber);
  const { devices } = await pageOfDevices(table, { ...shows, fromId: shows.id, toId: shows.id }, { limit: maxRead });
  const others = devices.filter(({ pk, sk }) => sk === serialNumber && pk !== key.pk);
  if (others.length >= maxDevices) return 'full';
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: 'SET push = :push, by1pk = :shown, by1sk = :id, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':push': pushToken,
        ':shown': partitionOf(shows),
        ':id': idText(shows.id),
        ':ttl': nowUnix + keptSeconds,
      },
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

/** A registration of a device, and where to tell it of a change. */
export interface RegisteredDevice extends ItemKey {
  readonly push: string;
}
const Registered = v.object({ pk: v.string(), sk: v.string(), push: v.string() });

/** Where a page of registrations ends. */
const Position = v.object({ pk: v.string(), sk: v.string(), by1pk: v.string(), by1sk: v.string() });
export type DevicePosition = v.InferOutput<typeof Position>;
export const parsePosition = (position: unknown): DevicePosition => v.parse(Position, position);

const queryOf = (range: PassRange) => ({
  IndexName: 'by1',
  KeyConditionExpression: 'by1pk = :pk AND by1sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': partitionOf(range), ':from': idText(range.fromId), ':to': idText(range.toId) },
});

/** Some devices with one of these passes: the first, or those after a position. `next` is undefined after the last. */
export async function pageOfDevices(
  table: Table,
  range: PassRange,
  { limit, after }: { readonly limit: number; readonly after?: DevicePosition | undefined },
): Promise<{ readonly devices: readonly RegisteredDevice[]; readonly next: DevicePosition | undefined }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...queryOf(range),
      Limit: limit,
      ...(after !== undefined && { ExclusiveStartKey: after }),
    }),
  );
  return {
    devices: Items.map((item) => v.parse(Registered, item)),
    next: LastEvaluatedKey && parsePosition(LastEvaluatedKey),
  };
}

/** Yields the devices with one of these passes, page by page. */
export async function* devicesWithPasses(table: Table, range: PassRange): AsyncGenerator<readonly RegisteredDevice[]> {
  for await (const items of queryPages(table, queryOf(range))) yield items.map((item) => v.parse(Registered, item));
}

/** Ends a registration that the index led to, unless the device has registered again with another token since then. */
export async function forgetDevice(table: Table, { pk, sk, push }: RegisteredDevice): Promise<void> {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: { pk, sk },
        ConditionExpression: 'push = :push',
        ExpressionAttributeValues: { ':push': push },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
