import type { SaleContext } from '../../../sales/baskets/sale-context.ts';
import type { Deps } from '../../pipeline.ts';
import type { Caller } from '../../request-context.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';

export type FanRequest = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** For whom a request sells. The token of a fan is verified only where a rule asks who the fan is. */
export function saleContext(request: FanRequest): SaleContext {
  const { table, clock, caller, ssoToken } = request;
  return {
    table,
    clock,
    orgId: caller.orgId,
    isPublic: caller.storefront !== undefined,
    findFan: ssoToken === undefined ? undefined : async () => (await authenticateSsoUser(request)).link,
  };
}
