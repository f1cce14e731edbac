import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCanary } from '../../admin/commands/canary.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import { canaryOrgId } from '../../shared/domain/organisations/canary.ts';
import { priceOfId } from '../../shared/domain/prices/price.ts';
import { type Canary, holdAndRelease, parseCanary } from '../../shared/workers/canary-hold.ts';
import { itemsLike } from '../../tools/fixtures/orders.ts';
import { testSigner } from '../../tools/fixtures/signing-key.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let canary: Canary;
/** A busy machine is slower than the service. */
const patienceMs = 60_000;

beforeAll(async () => {
  service = await startService([]);
  const { storefrontToken, priceId } = await createCanary(service.table, testSigner, 1_700_000_000);
  canary = { address: `${service.url}/`, storefrontToken, priceId };
});
afterAll(() => service.stop());

const baskets = async () =>
  (await itemsLike(service.table, `BSK#${canaryOrgId}`)).flatMap(({ status }) => status ?? []);
const available = async () => {
  const stocks = await readStock(service.table, canaryOrgId, priceOfId(canary.priceId)?.eventId ?? 0);
  return [...stocks.values()].map((stock) => stock.avail);
};

it('the canary holds a ticket as a buyer does, and leaves everything as it was', async () => {
  await holdAndRelease(parseCanary(JSON.stringify(canary)), patienceMs);
  expect(await baskets()).toEqual(['cancelled']);
  expect(await available()).toEqual([100]);
});

it('the canary prepares the payment where the stage has the sandbox, and releases it with the ticket', async () => {
  const payments = async () => (await itemsLike(service.table, `SBX#${canaryOrgId}`)).map(({ status }) => status);
  expect(await payments()).toEqual([]);
  await holdAndRelease({ ...canary, pays: true }, patienceMs);
  expect(await payments()).toEqual(['cancelled']);
  expect(await baskets()).toEqual(['cancelled', 'cancelled']);
  expect(await available()).toEqual([100]);
});

it('the canary fails with what a buyer would meet, and closes its basket', async () => {
  await expect(holdAndRelease({ ...canary, priceId: canary.priceId + 1 }, patienceMs)).rejects.toThrow(
    /is 40\d: .*"error"/,
  );
  expect(await baskets()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  await expect(holdAndRelease({ ...canary, storefrontToken: 'gl_pub_canary_1' }, patienceMs)).rejects.toThrow('is 401');
});
