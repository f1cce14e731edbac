import { openBasket as open } from '../../../shared/data/baskets/baskets.ts';
import { longHoldPuts } from '../../../shared/data/baskets/buyers.ts';
import { mergeMetadata } from '../../../shared/domain/metadata.ts';
import { labelsOf } from '../../../shared/domain/orders/labels.ts';
import { basketTokenOf } from '../../../shared/http/auth/basket-token.ts';
import { channelOf } from '../../../shared/http/handlers/input/counter.ts';
import { longHoldOf } from '../../../shared/http/handlers/input/long-hold.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { openBasket } from '../../../shared/operations/baskets/open-basket.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof openBasket> = async ({ body }, { caller, table, clock, receipt }) => {
  const { orgId } = caller;
  if (body.org !== orgId) throw otherOrganisation();
  const nowUnix = unixSeconds(clock);
  const { storefront } = caller;
  const openedFrom = storefront && { tokenId: storefront.tokenId, address: storefront.countedAddress };
  const longHold = longHoldOf(body, caller, nowUnix);
  const pointers = longHold?.customer == null ? () => [] : await longHoldPuts(table, orgId);
  const channel = channelOf(body, caller);
  const labels = labelsOf({
    metadata: mergeMetadata(undefined, body.metadata),
    externalReference: body.external_reference ?? undefined,
  });
  const basket = await open(table, { orgId, nowUnix, channel, openedFrom, longHold, labels }, (opened) => [
    ...pointers(opened),
    ...receipt(basketResource(orgId, opened, nowUnix)),
  ]);
  const resource = basketResource(orgId, basket, nowUnix);
  return storefront === undefined
    ? resource
    : { ...resource, basket_token: basketTokenOf(storefront.basketKey, orgId, basket.basketId) };
};

/** The message does not reveal whether another organisation with this id exists. */
function otherOrganisation() {
  const message = 'The parameter org must be the org_id of the organisation of your API key or storefront token.';
  return problem('resource_missing', message, { param: 'org' });
}

export const handler = pipeline(openBasket, handle);
