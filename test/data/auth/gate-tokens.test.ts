import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  issueGateToken,
  listGateTokens,
  type NewGateToken,
  revokeGateToken,
} from '../../../shared/data/admin/gate-tokens.ts';
import { admitGate } from '../../../shared/data/auth/admit-gate.ts';
import { admitKey } from '../../../shared/data/auth/admit-key.ts';
import { authKey, gateAuthKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { makeGateToken, makeKey, parseGateToken, parseKey } from '../../../tools/fixtures/signing-key.ts';
import { crash, crashAfter, crashBefore } from '../../support/faults/faulty-table.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
const noonUnix = noon / 1000;
let table: Table;
let day: MatchDay;

beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
});

const anywhere: NewGateToken = {
  label: 'East',
  gates: 'all',
  events: 'all',
  offline: false,
  createdUnix: noonUnix,
  expiresUnix: null,
};

function issue(changes: Partial<NewGateToken> = {}, through = table) {
  return issueGateToken(through, day.orgId, { ...anywhere, ...changes }, makeGateToken);
}

async function admitOnce(text: string, nowMs = noon) {
  const token = parseGateToken(text);
  if (token === undefined) throw new Error('An issued token cannot be parsed.');
  return admitGate(table, token, nowMs);
}

describe('gate tokens', () => {
  it('a gate token has the form of an API key, but neither is accepted as the other', async () => {
    const { text, token } = await issue();
    expect(text).toMatch(new RegExp(`^gl_gate_${day.orgId.slice(4)}_${token.tokenId}_`));
    expect(parseGateToken(text)).toMatchObject({ orgId: day.orgId, keyId: token.tokenId });
    expect(parseKey(text)).toBeUndefined();
    expect(parseGateToken(makeKey('live', day.orgId, '1').text)).toBeUndefined();
    for (let index = 0; index < text.length; index += 1) {
      const changed = text.slice(0, index) + (text[index] === 'a' ? 'b' : 'a') + text.slice(index + 1);
      expect(parseGateToken(changed), changed).toBeUndefined();
    }
  });

  it('a gate token is stored as a hash, and its secret is stored nowhere', async () => {
    const { text, token } = await issue();
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: gateAuthKey(day.orgId, token.tokenId) }),
    );
    const secret = text.split('_')[4] ?? '';
    expect(JSON.stringify([Item, await listGateTokens(table, day.orgId)])).not.toContain(secret);
  });

  it('a gate token is admitted with its gates and events until it expires or is revoked', async () => {
    const { text, token } = await issue({ gates: [4, 5], events: [512], expiresUnix: noonUnix + 60 });
    expect(await admitOnce(text)).toMatchObject({ outcome: 'admitted', bounds: { gates: [4, 5], events: [512] } });
    expect(await admitOnce(text, noon + 60_000)).toEqual({ outcome: 'expired' });
    const revoke = { orgId: day.orgId, tokenId: token.tokenId, nowUnix: noonUnix };
    const revoked = await revokeGateToken(table, revoke);
    expect(revoked).toMatchObject({ outcome: 'revoked', token: { revokedUnix: noonUnix, lastUsedUnix: noonUnix } });
    expect(await admitOnce(text)).toEqual({ outcome: 'unknown' });
    expect(await revokeGateToken(table, { ...revoke, nowUnix: noonUnix + 9 })).toEqual({
      ...revoked,
      outcome: 'already_revoked',
    });
    expect(await revokeGateToken(table, { ...revoke, tokenId: 'none' })).toBeUndefined();
  });

  it('a gate token that was never issued is unknown, also with the id of an issued one', async () => {
    const { token } = await issue();
    expect(await admitOnce(makeGateToken(day.orgId, token.tokenId).text)).toEqual({ outcome: 'unknown' });
    expect(await admitOnce(makeGateToken('org_nobody', 'abcd').text)).toEqual({ outcome: 'unknown' });
  });

  it('a gate token has exactly 600 requests a minute, however many come at once, and starts again in the next minute', async () => {
    const { text } = await issue();
    const outcomes: string[] = [];
    for (let batch = 0; batch < 13; batch += 1) {
      outcomes.push(...(await Promise.all(Array.from({ length: 50 }, async () => (await admitOnce(text)).outcome))));
    }
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(600);
    expect(outcomes.filter((outcome) => outcome === 'exhausted')).toHaveLength(50);
    expect(await admitOnce(text, noon + 60_000)).toMatchObject({
      outcome: 'admitted',
      windows: [{ name: 'gate_minute', limit: 600, remaining: 599 }],
    });
  });

  it('a gate token and the API keys of its organisation do not count against each other', async () => {
    const { text } = await issue();
    const key = parseKey(day.key);
    if (key === undefined) throw new Error('The key cannot be parsed.');
    const before = await admitKey(table, key, noon);
    for (let index = 0; index < 5; index += 1) await admitOnce(text);
    const after = await admitKey(table, key, noon);
    if (before.outcome !== 'admitted' || after.outcome !== 'admitted') throw new Error('The key is not admitted.');
    expect(after.windows.map(({ remaining }) => remaining + 1)).toEqual(
      before.windows.map(({ remaining }) => remaining),
    );
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: authKey(day.orgId) }));
    expect(Object.keys(Item ?? {}).some((name) => name.includes('gate'))).toBe(false);
  });

  it('a gate token whose issuing crashed is stored completely or not at all', async () => {
    const before = await listGateTokens(table, day.orgId);
    await expect(issue({}, crashBefore(table))).rejects.toBe(crash);
    expect(await listGateTokens(table, day.orgId)).toEqual(before);
    await expect(issue({}, crashAfter(table))).rejects.toBe(crash);
    expect(await listGateTokens(table, day.orgId)).toHaveLength(before.length + 1);
  });
});

describe('record-scan and the bounds of a gate token', () => {
  const scan = (bearer: string, body: object = {}) => day.send({ barcode: 'unknown', ...body }, { bearer });

  it('a gate token may scan at its gates and events, and nowhere else', async () => {
    const { text } = await issue({ gates: [4, 5] });
    expect((await scan(text, { gate_id: 5 })).body).toMatchObject({ result: 'invalid', scan: { gate_id: 5 } });
    expect(await scan(text, { gate_id: 6 })).toMatchObject({
      status: 403,
      body: { error: { code: 'gate_not_allowed', param: 'gate_id' } },
    });
    expect(await scan(text)).toMatchObject({ status: 400, body: { error: { code: 'parameter_missing' } } });
    const elsewhere = await issue({ events: [512] });
    expect(await scan(elsewhere.text)).toMatchObject({
      status: 403,
      body: { error: { code: 'gate_not_allowed', param: 'event_id' } },
    });
  });

  it('a gate token for one gate does not need to name the gate', async () => {
    const { text } = await issue({ gates: [8], events: [day.eventId] });
    expect((await scan(text)).body).toMatchObject({ scan: { gate_id: 8 } });
  });

  it('a gate token for all gates may scan without naming a gate', async () => {
    const { text } = await issue();
    expect((await scan(text)).body).toMatchObject({ scan: { gate_id: null } });
    expect((await scan(text, { gate_id: 77 })).body).toMatchObject({ scan: { gate_id: 77 } });
  });

  it.each([
    ['that was never issued', () => makeGateToken(day.orgId, 'zzzz').text, 'api_key_invalid'],
    ['that is cut off', () => 'gl_gate_x', 'api_key_malformed'],
  ])('a gate token %s is a 401', async (_case, text, code) => {
    expect(await scan(text())).toMatchObject({ status: 401, body: { error: { code } } });
  });
});
