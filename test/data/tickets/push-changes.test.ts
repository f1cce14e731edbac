import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { type PassRange, passesOfDevice, registerDevice } from '../../../shared/data/wallets/devices.ts';
import type { PushConnection, PushOutcome } from '../../../shared/documents/apple-push.ts';
import { pushChanges } from '../../../shared/documents/push-changes.ts';
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

const [accepted, failed] = [{ outcome: 'accepted' }, { outcome: 'failed', reason: '503 Shutdown' }] as const;

describe('pushes to phones', () => {
  it('only the pushes that failed are repeated', async () => {
    const { range } = await givenPhones('a', 'b');
    const { pushed, connection } = apple((token, times) => (token === 'b' && times < 3 ? failed : accepted));
    expect(await pushChanges(table, connection, range)).toEqual({ told: 2, failed: 0 });
    expect(pushed.sort()).toEqual(['a', 'b', 'b', 'b']);
  });

  it('one phone that cannot be told does not send the message back', async () => {
    const { range } = await givenPhones('a', 'b');
    const { connection } = apple((token) => (token === 'b' ? failed : accepted));
    expect(await pushChanges(table, connection, range)).toEqual({ told: 1, failed: 1 });
  });

  it('if no phone can be told, the message comes back with the reason', async () => {
    const { range } = await givenPhones('a', 'b');
    await expect(pushChanges(table, apple(() => failed).connection, range)).rejects.toThrow('503 Shutdown');
  });

  it('a phone that Apple does not know any more is forgotten, unless it has registered again meanwhile', async () => {
    const { range, register, passesOf } = await givenPhones('old', 'renewed');
    const { connection } = apple(async (token) => {
      if (token === 'renewed') await register('renewed', 'another');
      return { outcome: 'gone' };
    });
    expect(await pushChanges(table, connection, range)).toEqual({ told: 0, failed: 0 });
    expect(await passesOf('old')).toEqual([]);
    expect(await passesOf('renewed')).toEqual([serialNumber]);
  });

  it('where no phone has a pass, Apple is not called', async () => {
    const { range } = await givenPhones();
    const { pushed, connection } = apple(() => accepted);
    expect(await pushChanges(table, connection, range)).toEqual({ told: 0, failed: 0 });
    expect(pushed).toEqual([]);
  });
});
