import { beforeAll, describe, expect, it } from 'vitest';
import { testGoogleAccount } from '../../../local/run/local-wallets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PassRange } from '../../../shared/data/wallets/devices.ts';
import { tellGoogle } from '../../../shared/documents/google-changes.ts';
import type { GoogleResource } from '../../../shared/documents/google-pass.ts';
import type { GoogleWallet } from '../../../shared/documents/google-wallet.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets } from '../../support/tickets.ts';

await givenStackSecret();
const account = testGoogleAccount();
const nowUnix = 1_794_000_000;

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Tells a wallet that knows every pass, and returns what it was told. `onChange` is what happens meanwhile. */
async function toldOf(range: PassRange, onChange: () => Promise<unknown> = async () => undefined) {
  const told: GoogleResource[] = [];
  const wallet: GoogleWallet = {
    async replace(_kind, resource) {
      if (told.length === 0) await onChange();
      told.push(resource);
      return 'replaced';
    },
  };
  await tellGoogle(table, { account, wallet }, { range, nowUnix });
  return told;
}

const rangeOf = ({ orgId, event, ticketId }: Awaited<ReturnType<typeof givenTickets>>): PassRange => ({
  orgId,
  eventId: event.eventId,
  fromId: ticketId,
  toId: ticketId,
});

describe('what Google is told of a changed pass', () => {
  it('a name that changes while Google is told is told too, so the last word is what is stored', async () => {
    const given = await givenTickets(table);
    const told = await toldOf(rangeOf(given), () => given.rename('Grace', 'Hopper'));
    expect(told.map(({ ticketHolderName }) => ticketHolderName)).toEqual(['Ada Lovelace', 'Grace Hopper']);
  });

  it('the objects of all former holders are void, and that of the last one is valid', async () => {
    const given = await givenTickets(table, { price: { transfer: 'anyone' } });
    for (const name of ['Joan', 'Mary']) {
      await given.accept(await given.offer(`${name}@example.com`), { firstName: name });
    }
    const told = await toldOf(rangeOf(given));
    expect(told.map(({ state }) => state)).toEqual(['INACTIVE', 'INACTIVE', 'ACTIVE']);
    expect(JSON.stringify(told.slice(0, 2))).not.toMatch(/barcode|Ada|Joan|Mary/);
    expect(told[2]).toMatchObject({ id: expect.stringMatching(/-2$/), ticketHolderName: 'Mary Hopper' });
  });

  it('a saved pass keeps its barcode where the price hides it until later: its holder has seen it', async () => {
    const given = await givenTickets(table, { price: { barcodeFromHours: 1 } });
    expect(await toldOf(rangeOf(given))).toMatchObject([{ barcode: { value: given.barcode } }]);
  });

  it('nothing more is read or told of a pass that nobody has saved', async () => {
    const given = await givenTickets(table);
    let asked = 0;
    const wallet: GoogleWallet = { replace: async () => (asked++ < 100 ? 'unknown' : 'replaced') };
    expect(await tellGoogle(table, { account, wallet }, { range: rangeOf(given), nowUnix })).toBe(0);
    expect(asked).toBe(1);
  });

  it('the card of a member who admits nobody any more is void', async () => {
    const orgId = await givenOrganisation(table, 'org_cardgoogle');
    const valid = aMember({ barcode: 'CARD1', expiresUnix: nowUnix + 1 });
    const over = aMember({ barcode: 'CARD2', expiresUnix: nowUnix });
    await givenMembers(table, orgId, [valid, over]);
    const card = async ({ memberId }: { memberId: number }) =>
      (await toldOf({ orgId, eventId: null, fromId: memberId, toId: memberId }))[0];
    expect(await card(valid)).toMatchObject({ state: 'ACTIVE', barcode: { value: valid.barcode } });
    expect(await card(over)).toMatchObject({ state: 'INACTIVE' });
    expect(await card({ memberId: 1 })).toBeUndefined();
  });
});
