import { beforeAll, describe, expect, it } from 'vitest';
import { createCampaign, updateCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { newCodes } from '../../../shared/catalogue/new-codes.ts';
import { changeBasket, openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { createCodes, findCode, listCodes } from '../../../shared/data/codes/codes.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { applyCode } from '../../../shared/domain/baskets/codes.ts';
import type { CampaignFields, CodeCampaign } from '../../../shared/domain/codes/campaign.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import {
  addItem,
  checkOutWith,
  checkoutDepsOf,
  givenOnSale,
  newCheckoutDeps,
  noonUnix,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { CodeOffice } from '../../support/code-office.ts';
import { crashingTable } from '../../support/faults/faulty-table.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

await givenStackSecret();

const orgId = 'org_campaigns';
let table: Table;
let office: CodeOffice;
beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  office = new CodeOffice(table, orgId, (await givenKey(table, orgId)).text);
});

const twenty = { kind: 'percent', value: 20 } as const;

describe('a code campaign', () => {
  it('has random codes that differ, in pages', async () => {
    const { body } = await office.campaign({ effect: twenty, uses_per_code: 1 });
    const id = String(body.code_campaign_id);
    const created = await office.codes(id, { count: 120 });
    const codes = (created.body.data as { code: string; uses: number }[]).map(({ code }) => code);
    expect(new Set(codes).size).toBe(120);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
    const first = await office.list(id, { limit: '70' });
    const second = await office.list(id, { limit: '70', cursor: String(first.body.next_cursor) });
    const listed = [first, second].flatMap(({ body: page }) => page.data as { code: string; uses: number }[]);
    expect(listed.map(({ code }) => code).sort()).toEqual([...codes].sort());
    expect(listed.every(({ uses }) => uses === 0)).toBe(true);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('gives a word once, also after it was deleted', async () => {
    await office.word('Summer', { effect: twenty });
    const { body } = await office.campaign({ effect: twenty });
    const again = () => office.codes(String(body.code_campaign_id), { code: ' sum mer' });
    expect(await again()).toMatchObject({ status: 409, body: { error: { code: 'code_taken' } } });
    expect(await office.deleteCode('summer')).toMatchObject({ body: { code: 'SUMMER', deleted: true } });
    expect((await again()).status).toBe(409);
  });

  it.each([
    [{ effect: { kind: 'percent', value: 101 } }, 'parameter_invalid effect.value'],
    [{ effect: { kind: 'percent', value: 12.345 } }, 'parameter_invalid effect.value'],
    [{ effect: { kind: 'amount', value: -1 } }, 'parameter_invalid effect.value'],
    [{ effect: { kind: 'none', value: 5 } }, 'parameter_invalid effect.value'],
    [{ effect: { kind: 'free', value: 5 } }, 'parameter_invalid effect.kind'],
    [{ effect: twenty, price_ids: [513], event_ids: [512] }, 'parameter_conflict event_ids'],
    [{ effect: twenty, price_ids: [513] }, 'resource_missing price_ids'],
    [{ effect: twenty, price_ids: [512] }, 'resource_missing price_ids'],
    [{ effect: twenty, event_ids: ['512'] }, 'resource_missing event_ids'],
    [{ effect: twenty, reveals_price_ids: [513] }, 'resource_missing reveals_price_ids'],
    [{ effect: twenty, from_unix: 20, until_unix: 20 }, 'parameter_conflict until_unix'],
    [{ effect: twenty, uses_per_code: 0 }, 'parameter_invalid uses_per_code'],
  ])('refuses %j', async (fields, refusal) => {
    const [code, param] = refusal.split(' ');
    expect(await office.campaign(fields)).toMatchObject({ status: 400, body: { error: { code, param } } });
  });

  it.each([
    [{}, 'parameter_missing count'],
    [{ count: 501 }, 'parameter_invalid count'],
    [{ count: 1, code: 'BOTH' }, 'parameter_conflict code'],
    [{ code: 'a b' }, 'parameter_invalid code'],
    [{ code: 'A#B' }, 'parameter_invalid code'],
  ])('refuses codes %j', async (fields, refusal) => {
    const { body } = await office.campaign({ effect: twenty });
    const [code, param] = refusal.split(' ');
    expect(await office.codes(String(body.code_campaign_id), fields)).toMatchObject({
      status: 400,
      body: { error: { code, param } },
    });
  });
});

/** A word whose uses are limited, and how many are used. */
async function givenWord(deps: TestCheckoutDeps, fields: Partial<CampaignFields>) {
  const given = { title: 'Campaign', effect: twenty, ...fields };
  const saved = await createCampaign({ ...deps, nowUnix: noonUnix }, given, () => []);
  if (saved.outcome !== 'saved') throw new Error(saved.outcome);
  const { campaign } = saved;
  const codes = newCodes(deps.orgId, campaign, { word: 'WORD' }, noonUnix);
  await createCodes(table, deps.orgId, { codes, usesPerCode: campaign.usesPerCode }, []);
  return { campaign, uses: () => usesOf(deps, campaign) };
}

async function usesOf({ orgId: own }: TestCheckoutDeps, campaign: CodeCampaign): Promise<number | null | undefined> {
  const { codes } = await listCodes(table, { orgId: own, campaign, after: undefined, limit: 1 });
  return codes[0]?.uses;
}

async function applyWord(deps: TestCheckoutDeps, basketId: number): Promise<string> {
  const { table: own, orgId: org, nowUnix } = deps;
  const found = await findCode(own, org, 'WORD');
  const changed = await changeBasket(own, {
    orgId: org,
    basketId,
    decide: (basket) => applyCode(basket, found, nowUnix),
  });
  return changed.outcome === 'refused' ? changed.refusal.reason : changed.outcome;
}

describe('the uses of a code', () => {
  it('of 500 buyers with a code for 100, exactly 100 use it', async () => {
    const deps = newCheckoutDeps(table);
    const { uses } = await givenWord(deps, { usesPerCode: 100 });
    const outcomes: string[] = [];
    for (let wave = 0; wave < 10; wave += 1) {
      const buyers = Array.from({ length: 50 }, async () => {
        const { basketId } = await openBasket(table, deps);
        return applyWord(deps, basketId);
      });
      outcomes.push(...(await Promise.all(buyers)));
    }
    expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(100);
    expect(outcomes.filter((outcome) => outcome === 'code_used_up')).toHaveLength(400);
    expect(await uses()).toBe(100);
  });

  it('follow the campaign when their number changes', async () => {
    const deps = newCheckoutDeps(table);
    const { campaign, uses } = await givenWord(deps, { usesPerCode: 1 });
    const limitTo = (usesPerCode: number | null) =>
      updateCampaign(table, deps.orgId, campaign.campaignId, { change: { usesPerCode }, ifMatch: undefined });
    const baskets = await Promise.all([1, 2, 3, 4].map(() => openBasket(table, deps)));
    const apply = (index: number) => applyWord(deps, baskets[index]?.basketId ?? 0);
    expect([await apply(0), await apply(1)]).toEqual(['changed', 'code_used_up']);
    await limitTo(300);
    expect(await apply(1)).toBe('changed');
    expect(await uses()).toBe(2);
    await limitTo(1);
    expect(await apply(2)).toBe('code_used_up');
    expect(await uses()).toBe(2);
    await limitTo(null);
    expect(await apply(2)).toBe('changed');
    await limitTo(2);
    expect(await apply(3)).toBe('code_used_up');
    await limitTo(3);
    expect(await apply(3)).toBe('changed');
    expect(await uses()).toBe(3);
    deps.nowUnix += basketSeconds;
    await sweepBaskets(deps);
    // The third basket took no use, so it gives none back.
    expect(await uses()).toBe(0);
  });

  it.each(crashMoments)('are taken and given back once after a crash %s any call', async (when) => {
    for (const at of crashPoints()) {
      const deps = newCheckoutDeps(table);
      const { price } = await givenOnSale(table, deps.orgId);
      const { uses } = await givenWord(deps, { usesPerCode: 300 });
      const { basketId } = await openBasket(table, deps);
      await addItem(deps, basketId, price);
      const crashing = crashingTable(table, at, when);
      const through = { ...checkoutDepsOf(crashing.table, deps.orgId), clock: deps.clock };
      await applyWord(through, basketId)
        .then(() => checkOutWith(through, basketId, { paymentMethod: 'pm_card_declined' }))
        .catch(() => undefined);
      const { code } = (await readBasket(table, deps.orgId, basketId)) ?? {};
      expect(await uses(), `call ${at}`).toBe(code == null ? 0 : 1);
      deps.nowUnix += 3_600;
      await sweepBaskets({ ...deps, table: crashingTable(table, at, when).table }).catch(() => undefined);
      for (let hour = 0; hour < 2; hour += 1) {
        deps.nowUnix += 3_600;
        await sweepBaskets(deps);
      }
      expect(await uses(), `call ${at}`).toBe(0);
      if (crashing.hasCrashed()) continue;
      expect(at).toBeGreaterThan(16);
      return;
    }
  });
});
