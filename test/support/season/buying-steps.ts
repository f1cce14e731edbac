import { handle as addItem } from '../../../functions/api/baskets/add-basket-item.ts';
import { handle as applyWord } from '../../../functions/api/baskets/apply-code.ts';
import { handle as cancelOne } from '../../../functions/api/baskets/cancel-basket.ts';
import { handle as open } from '../../../functions/api/baskets/open-basket.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { BasketBuyer } from '../../../shared/domain/baskets/basket.ts';
import { type PaymentChoice, paymentOptions } from '../../../shared/domain/plans/payment-choice.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { addBasketItem } from '../../../shared/operations/baskets/add-basket-item.ts';
import { applyCode } from '../../../shared/operations/baskets/apply-code.ts';
import { cancelBasket } from '../../../shared/operations/baskets/cancel-basket.ts';
import { openBasket } from '../../../shared/operations/baskets/open-basket.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { checkOut } from '../../../shared/sales/checkout/check-out.ts';
import { preparePayment } from '../../../shared/sales/checkout/prepare-payment.ts';
import { anAddress } from '../receipts.ts';
import { cards, decideShown, shownBy } from './cards.ts';
import { words } from './club.ts';
import { memberOf } from './member-steps.ts';
import { call, nothing, outcomeOf, type Scene, type Steps } from './scene.ts';

const consentText = 'Charge my card every month.';

/** The same person pays for a basket each time, for every fourth one with the address of a company. */
const buyerOf = ({ club: { people } }: Scene, basketId: number): BasketBuyer => {
  const nth = basketId / 64;
  const buyer = people[nth % people.length];
  if (buyer === undefined) throw new Error('The club has no people.');
  return { ...buyer, ...(nth % 4 === 0 && { invoiceAddress: anAddress }) };
};

async function opened(scene: Scene): Promise<number | undefined> {
  const { orgId, baskets } = scene.club;
  const answer = await call(scene, openBasket, open, { body: { org: orgId } });
  if (typeof answer === 'string') return undefined;
  const basketId = Number(answer.id);
  baskets.push(basketId);
  return basketId;
}

async function fill(scene: Scene, item: object): Promise<readonly [number | undefined, string]> {
  const basketId = await opened(scene);
  if (basketId === undefined) return [undefined, nothing];
  const add = (body: Readonly<Record<string, unknown>>) =>
    call(scene, addBasketItem, addItem, { params: { basket_id: String(basketId) }, body });
  const added = await add({ quantity: 1, ...item });
  if (typeof added === 'string') return [undefined, added];
  const other = 'price_id' in item ? besides(scene, basketId, item.price_id) : undefined;
  // There may be no place left: then the first item is bought alone.
  if (other !== undefined) await add({ price_id: other.priceId, quantity: 1 });
  return [basketId, 'filled'];
}

/** The other price of an event, which every second basket with tickets takes too: its tax rate is another one. */
function besides({ club: { prices } }: Scene, basketId: number, priceId: unknown): PriceRecord | undefined {
  const price = prices.find((one) => one.priceId === priceId);
  if ((basketId / 64) % 2 === 0) return undefined;
  return prices.find((one) => one.eventId === price?.eventId && one !== price);
}

/** Everything at once, or one of the ways that the basket offers. */
async function paymentOf({ club, deps, outside, choose }: Scene, basketId: number): Promise<PaymentChoice> {
  const basket = await readBasket(outside, club.orgId, basketId);
  const offered = basket === undefined ? [] : paymentOptions(basket, unixSeconds(deps.clock));
  return { optionId: choose([null, ...offered.map(({ optionId }) => optionId)]), hasConsent: true, consentText };
}

async function pay(scene: Scene, basketId: number): Promise<string> {
  const payment = await paymentOf(scene, basketId);
  const command = { basketId, buyer: buyerOf(scene, basketId), paymentMethod: scene.choose(cards), payment };
  return shownBy(scene, await checkOut(scene.deps, command, () => []));
}

/** Fills a basket, and pays for it now or leaves it for another step. */
async function buy(scene: Scene, item: object, { withCode = false } = {}): Promise<string> {
  const [basketId, outcome] = await fill(scene, item);
  if (basketId === undefined || scene.choose([true, false, false, false])) return outcome;
  if (withCode) await apply(scene, basketId);
  return pay(scene, basketId);
}

async function apply(scene: Scene, basketId: number): Promise<string> {
  const input = { params: { basket_id: String(basketId) }, body: { code: scene.choose(words) } };
  return outcomeOf(await call(scene, applyCode, applyWord, input));
}

async function nextTerm(scene: Scene, change: 'renews' | 'replaces'): Promise<string> {
  const member = await memberOf(scene);
  if (member === undefined) return nothing;
  const type = change === 'replaces' ? scene.choose(scene.club.types) : undefined;
  return buy(scene, { [change]: member.memberId, ...(type && { membership_type_id: type.typeId }) });
}

const openOne = ({ club, choose }: Scene): number | undefined => choose(club.baskets);

export const buyingSteps: Steps = {
  'buy tickets': {
    weight: 10,
    run: (scene) => {
      const { choose, club } = scene;
      const item = { price_id: choose(club.prices)?.priceId, quantity: choose([1, 2, 3]) };
      return buy(scene, item, { withCode: choose([true, false]) });
    },
  },
  'buy a membership': {
    weight: 14,
    run: (scene) => {
      const { typeId, persons = 1 } = scene.choose(scene.club.types) ?? {};
      const holders = ['Ada', 'Byron', 'Anne']
        .slice(0, persons)
        .map((first_name) => ({ first_name, last_name: 'Lovelace' }));
      return buy(scene, { membership_type_id: typeId, ...(persons > 1 && { holders }) });
    },
  },
  'renew a membership': { weight: 6, run: (scene) => nextTerm(scene, 'renews') },
  'change the type of a membership': { weight: 8, run: (scene) => nextTerm(scene, 'replaces') },
  'apply a code': {
    weight: 2,
    run: async (scene) => {
      const basketId = openOne(scene);
      return basketId === undefined ? nothing : apply(scene, basketId);
    },
  },
  'pay for a basket': {
    weight: 4,
    run: async (scene) => {
      const basketId = openOne(scene);
      return basketId === undefined ? nothing : pay(scene, basketId);
    },
  },
  'prepare a payment': {
    weight: 2,
    run: async (scene) => {
      const basketId = openOne(scene);
      if (basketId === undefined) return nothing;
      const payment = await paymentOf(scene, basketId);
      const command = { basketId, buyer: buyerOf(scene, basketId), returnUrl: null, payment };
      return shownBy(scene, await preparePayment(scene.deps, command));
    },
  },
  'decide on the page of the sandbox': { weight: 4, run: decideShown },
  'cancel a basket': {
    weight: 1,
    run: async (scene) => {
      const basketId = openOne(scene);
      if (basketId === undefined) return nothing;
      return outcomeOf(await call(scene, cancelBasket, cancelOne, { params: { basket_id: String(basketId) } }));
    },
  },
};
