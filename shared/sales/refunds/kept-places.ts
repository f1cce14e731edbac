import { readOrderWithTickets } from '../../data/orders/read.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { isSold } from '../../domain/orders/order.ts';
import type { CheckoutDeps } from '../deps.ts';

interface EndingMember {
  readonly member: { readonly memberId: number };
  /** The term that ends. */
  readonly termId: number;
  readonly terms: readonly TermRecord[];
}

/**
 * The places in the capacity of types that members have kept since earlier terms: a renewal as the same type takes none, and a change of type
 * leaves the one of the old type taken. They return when cancel-member ends the member for good.
 */
export async function keptPlaces(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  members: readonly EndingMember[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const places = members.map(async ({ member: { memberId }, termId, terms }) => {
    const earlier = terms.filter((term) => term.termId !== termId && term.state === 'active');
    const types = earlier.map(async (term) => {
      const placed = await readOrderWithTickets(table, orgId, term.orderId);
      const own = placed?.memberships.find((one) => one.termId === term.termId);
      return own?.ownStock && isSold(own) ? [own.typeId] : [];
    });
    return [memberId, (await Promise.all(types)).flat()] as const;
  });
  return new Map(await Promise.all(places));
}

/** The members of ended terms whose own place returned with `keptPlaces`, when they ended for good with a later term. */
export async function returnedBefore(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  members: readonly EndingMember[],
): Promise<ReadonlySet<number>> {
  const found = members.map(async ({ member: { memberId }, termId, terms }) => {
    const typeId = terms.find((term) => term.termId === termId)?.typeId ?? 0;
    const others = terms.filter((term) => term.termId !== termId && term.state !== 'active');
    const orders = await Promise.all(others.map(({ orderId }) => readOrderWithTickets(table, orgId, orderId)));
    const own = orders.flatMap((placed) => placed?.memberships ?? []).filter((one) => one.memberId === memberId);
    return own.some(({ returnedPlaces = [] }) => returnedPlaces.includes(typeId)) ? [memberId] : [];
  });
  return new Set((await Promise.all(found)).flat());
}
