import { createHash, randomInt } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type PresentedKey, removeCounts } from '../../data/auth/admit-key.ts';
import { admitStorefront, type StorefrontToken, uncountStorefront } from '../../data/auth/admit-storefront.ts';
import { countSource, type StorefrontSource } from '../../data/auth/storefront-counts.ts';
import { storefrontTokenKey } from '../../data/table/keys.ts';
import type { Table } from '../../data/table/table.ts';
import { type WindowState, windowState } from '../../domain/auth/rate-windows.ts';
import { countsPerAddress, isOriginAllowed } from '../../domain/auth/storefront.ts';
import { parseId } from '../../domain/ids.ts';
import type { Operation } from '../../operations/operation.ts';
import { keyRefused, limitReached } from '../auth/auth-problems.ts';
import { basketTokenOf, isBasketToken, isSameToken } from '../auth/basket-token.ts';
import { clientAddressId } from '../auth/client-address.ts';
import { originMissing } from '../auth/form-tokens.ts';
import { getClientAddress } from '../auth/trusted-cdn.ts';
import { getHeaderValues } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { notFound, type Problem, problem } from '../problem.ts';
import { getRequestContext, runInBackground } from '../request-context.ts';

/** Authenticates a request with a storefront token, counts it, and checks the origin of the page that sent it. */
export async function authenticateStorefront(
  operation: Operation,
  platform: Platform,
  event: APIGatewayProxyEvent,
  presented: PresentedKey,
): Promise<void> {
  // The signature is valid, so this answer needs no call: it is the same for every storefront token.
  if (operation.auth.storefront === undefined) {
    throw problem(
      'storefront_not_allowed',
      'A storefront token cannot call this operation. Call it from your server, with an API key.',
    );
  }
  const nowMs = platform.clock.nowMs();
  const { orgId, keyId } = presented;
  const table = platform.table();
  const address = clientAddressId(getClientAddress(event, platform.cdn?.()));
  const basket = basketOf(operation, event);
  const sources = sourcesOf(operation, address, basket);
  const admission = await admitStorefront(table, presented, sources, nowMs);
  if (admission.outcome === 'unknown' || admission.outcome === 'expired') {
    throw keyRefused(admission.outcome, 'storefront token');
  }
  const { token, windows, staleCounts } = admission;
  const context = getRequestContext(event);
  context.windows = windows;
  const caller = { kind: 'storefront', orgId, keyId: `storefront-${keyId}`, scopes: [] } as const;
  const { basketKey } = token;
  const { items, maxTicketsEach: maxHeld } = countsPerAddress(token.maxHeld);
  const countedAddress = items === 1 ? address : `${address}.${randomInt(items)}`;
  const storefront = {
    origin: undefined,
    address,
    countedAddress,
    tokenId: keyId,
    maxHeld,
    basketKey,
    basketToken: basket?.token,
  };
  context.caller = { ...caller, storefront };
  context.caller = { ...caller, storefront: { ...storefront, origin: allowedOrigin(event, token) } };
  const isForBasket = sources.some(({ window }) => window === 'basket_minute');
  const hasWrongToken = basket !== undefined && !isTokenOf(basket, orgId, basketKey);
  if (isForBasket && hasWrongToken) {
    // A made-up token has a count of its own each time, so what limits it is the count of its address.
    const counted = await countAddress(table, presented, { address, limit: token.perAddress }, nowMs);
    context.windows = [counted.window];
    throw counted.isFull ? limitReached(context.windows, nowMs) : noSuchBasket(basket);
  }
  context.uncount = () => uncountStorefront(table, presented, admission, nowMs);
  if (admission.outcome === 'exhausted') {
    // One window was full, and the others have counted the request.
    context.windows = await context.uncount();
    throw limitReached(windows, nowMs);
  }
  if (hasWrongToken) throw noSuchBasket(basket);
  if (staleCounts.length > 0) {
    runInBackground(
      event,
      'Stale rate-limit counts were not removed',
      removeCounts(table, storefrontTokenKey(orgId, keyId), staleCounts),
    );
  }
}

/** The same for every id, also of another organisation: who sends no token learns only that there is one to send. */
function noSuchBasket({ token }: PresentedBasket): Problem {
  if (token !== '') return notFound('basket');
  const message =
    'No such basket. With a storefront token, send the basket_token of the basket in the header X-Basket-Token.';
  return problem('resource_not_found', message);
}

interface PresentedBasket {
  /** Undefined if the path contains no valid id. */
  readonly basketId: number | undefined;
  readonly token: string;
}

/** The basket in the path and the token that was sent for it; undefined for an operation without a basket in its path. */
function basketOf({ input }: Operation, event: APIGatewayProxyEvent): PresentedBasket | undefined {
  if (!('basket_id' in input.params.entries)) return undefined;
  const { formTokens } = getRequestContext(event);
  const sent = formTokens?.basketToken ?? getHeaderValues(event, 'x-basket-token');
  const token = sent.join(' ').trim();
  return { basketId: parseId(event.pathParameters?.basket_id ?? ''), token };
}

/**
 * What the request counts against. The token of the basket is verified later, with the key that is read at the same time. The
 * count therefore belongs to the pair of basket and token: a wrong token never uses up the requests of the buyer. It counts against
 * its address as soon as it is known to be wrong.
 */
function sourcesOf(
  { auth }: Operation,
  address: string,
  basket: PresentedBasket | undefined,
): readonly StorefrontSource[] {
  if (basket?.basketId === undefined || !isBasketToken(basket.token)) {
    const opened = { window: 'address_baskets', id: `o${address}` } as const;
    return [addressSource(address), ...(auth.storefront?.opensBasket ? [opened] : [])];
  }
  const digest = createHash('sha256').update(`${basket.basketId}#${basket.token}`).digest('base64url').slice(0, 22);
  return [{ window: 'basket_minute', id: `b${digest}` }];
}

/** Without its token, a basket looks like a missing one. */
function isTokenOf({ basketId, token }: PresentedBasket, orgId: string, basketKey: Uint8Array): boolean {
  return basketId !== undefined && isSameToken(token, basketTokenOf(basketKey, orgId, basketId));
}

/** Counts the request of an address as one without a basket. */
async function countAddress(
  table: Table,
  presented: PresentedKey,
  { address, limit }: { readonly address: string; readonly limit: number },
  nowMs: number,
): Promise<{ readonly window: WindowState; readonly isFull: boolean }> {
  const source = { ...addressSource(address), limit };
  const counted = await countSource(table, presented, source, nowMs);
  const isFull = counted === undefined || counted.used > limit;
  return { window: windowState(source.window, counted?.used ?? limit, nowMs, limit), isFull };
}

const addressSource = (address: string) => ({ window: 'address_minute', id: `a${address}` }) as const;

/** The origin of the page, if the token allows it; undefined for a request without one, which no browser sent. */
function allowedOrigin(event: APIGatewayProxyEvent, { origins }: StorefrontToken): string | undefined {
  const sent = getHeaderValues(event, 'origin');
  if (sent.length === 0 && getRequestContext(event).formTokens !== undefined) throw originMissing();
  if (sent.length === 0) return undefined;
  const [origin = '', ...others] = sent;
  if (others.length === 0 && isOriginAllowed(origins, origin)) return origin;
  throw problem(
    'origin_not_allowed',
    'This storefront token is not valid for pages of this origin. Ask the platform team to add the origin to the token.',
    { param: 'Origin' },
  );
}
