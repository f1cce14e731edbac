import { beforeAll, describe, expect, it } from 'vitest';
import { passDeviceKey, ticketPassesPartition } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import {
  type DevicePosition,
  type PassRange,
  passesOfDevice,
  registerDevice,
} from '../../../shared/data/wallets/devices.ts';
import type { PushConnection, PushOutcome } from '../../../shared/documents/apple-push.ts';
import { parsePassMessage } from '../../../shared/documents/pass-messages.ts';
import { pushChanges } from '../../../shared/documents/push-changes.ts';
import { idText } from '../../../shared/domain/ids.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const orgId = 'org_pushes';
const nowUnix = 1_794_000_000;
const serialNumber = 'org_pushes.t.65.0';
let events = 0;

/** Phones with a pass of one ticket of an event; the name of a phone is also its token. */
async function givenPhones(...names: string[]) {
  events += 1;
  const [eventId, id] = [events, 65];
  const deviceOf = (name: string) => `${name}-${eventId}`;
  const register = (name: string, pushToken = name) =>
    registerDevice(table, {
      deviceId: deviceOf(name),
      serialNumber,
      shows: { orgId, eventId, id },
      pushToken,
      nowUnix,
    });
  for (const name of names) await register(name);
  const range: PassRange = { orgId, eventId, fromId: id, toId: id };
  return { range, register, passesOf: (name: string) => passesOfDevice(table, deviceOf(name)) };
}

/** Apple, which answers each push by the token and by how often it has come. */
function apple(answer: (token: string, times: number) => PushOutcome | Promise<PushOutcome>) {
  const pushed: string[] = [];
  const connection: PushConnection = {
    async push(token) {
      pushed.push(token);
      return answer(token, pushed.filter((each) => each === token).length);
    },
    close: () => undefined,
  };
  return { pushed, connection };
}

/** Tells devices without pauses, and counts how often it asked whether it may tell the next. */
let paced = 0;
function push(connection: PushConnection, range: PassRange, after?: DevicePosition) {
  paced = 0;
  const pace = async () => {
    paced += 1;
  };
  return pushChanges({ table, connection, pace }, range, after);
}

const [accepted, failed] = [{ outcome: 'accepted' }, { outcome: 'failed', reason: '503 Shutdown' }] as const;

describe('pushes to phones', () => {
  it('only the pushes that failed are repeated', async () => {
    const { range } = await givenPhones('a', 'b');
    const { pushed, connection } = apple((token, times) => (token === 'b' && times < 3 ? failed : accepted));
    expect(await push(connection, range)).toEqual({ told: 2, failed: 0, next: undefined });
    expect(pushed.sort()).toEqual(['a', 'b', 'b', 'b']);
  });

  it('one phone that cannot be told does not send the message back', async () => {
    const { range } = await givenPhones('a', 'b');
    const { connection } = apple((token) => (token === 'b' ? failed : accepted));
    expect(await push(connection, range)).toEqual({ told: 1, failed: 1, next: undefined });
  });

  it('if no phone can be told, the message comes back with the reason', async () => {
    const { range } = await givenPhones('a', 'b');
    await expect(push(apple(() => failed).connection, range)).rejects.toThrow('503 Shutdown');
  });

  it('a phone that Apple does not know any more is forgotten, unless it has registered again meanwhile', async () => {
    const { range, register, passesOf } = await givenPhones('old', 'renewed');
    const { connection } = apple(async (token) => {
      if (token === 'renewed') await register('renewed', 'another');
      return { outcome: 'gone' };
    });
    expect(await push(connection, range)).toEqual({ told: 0, failed: 0, next: undefined });
    expect(await passesOf('old')).toEqual([]);
    expect(await passesOf('renewed')).toEqual([serialNumber]);
  });

  it('where no phone has a pass, Apple is not called', async () => {
    const { range } = await givenPhones();
    const { pushed, connection } = apple(() => accepted);
    expect(await push(connection, range)).toEqual({ told: 0, failed: 0, next: undefined });
    expect(pushed).toEqual([]);
  });

  it('a moved match wakes 500 phones in a message, each at its pace, and the next message begins after them', async () => {
    const { range } = await givenPhones();
    const phones = Array.from({ length: 620 }, (_, index) => `phone${index}`);
    await putItems(
      table,
      phones.map((name, index) => ({
        ...passDeviceKey(name, `org_pushes.t.${index}.0`),
        by1pk: ticketPassesPartition(orgId, range.eventId ?? 0),
        by1sk: idText(index),
        push: name,
      })),
    );
    const all = { ...range, fromId: 0, toId: Number.MAX_SAFE_INTEGER };
    const { pushed, connection } = apple(() => accepted);
    const first = await push(connection, all);
    expect([first.told, paced]).toEqual([500, 500]);
    const rest = await push(connection, all, first.next);
    expect(rest).toEqual({ told: 120, failed: 0, next: undefined });
    expect(pushed.sort()).toEqual(phones.sort());
  });
});

describe('registrations of a pass', () => {
  it('a pass takes 20 devices; one of them may register again, and another pass of the ticket has its own 20', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `device${index}`);
    const { range, register } = await givenPhones(...names);
    expect(await register('device20')).toBe('full');
    expect(await register('device7', 'another')).toBe('known');
    const { connection, pushed } = apple(() => ({ outcome: 'gone' }));
    await push(connection, range);
    expect(pushed).toHaveLength(20);
    expect(await register('device20')).toBe('registered');
    const next = { deviceId: 'friend', serialNumber: 'org_pushes.t.65.1', pushToken: 'friend', nowUnix };
    const shows = { orgId, eventId: range.eventId, id: range.fromId };
    expect(await registerDevice(table, { ...next, shows })).toBe('registered');
  });
});

describe('messages about changed passes', () => {
  const detail = { org_id: orgId, event_id: 'evt_1', type: 'event.updated', api_request_id: 'req_1' };

  it('one of the bus begins with the first device, and one of ours where the last run ended', () => {
    const after = { pk: 'WDV#1', sk: 'org_pushes.t.1.0', by1pk: 'PAS#1', by1sk: '1' };
    const reference = { orgId, eventId: 'evt_1', type: 'event.updated', requestId: 'req_1' };
    expect(parsePassMessage({ detail })).toEqual({ ...reference, after: undefined });
    expect(parsePassMessage({ detail, after })).toEqual({ ...reference, after });
    expect(() => parsePassMessage({ detail, after: { pk: 'WDV#1' } })).toThrow();
  });
});
