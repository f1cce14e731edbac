import { describe, expect, it } from 'vitest';
import { chargeKey, chargeOwnerOfBasket, ownerOfCharge, refundKey } from '../../shared/domain/payments/charge-key.ts';

describe('the key of a charge', () => {
  it('of a basket is what charges in flight have: the id of the basket and the attempt', () => {
    const owner = chargeOwnerOfBasket({ basketId: 3_712_000_000_000_064 });
    expect(chargeKey(owner, 2)).toBe('3712000000000064-2');
    expect(refundKey(owner, 1)).toBe('3712000000000064-refund-1');
    expect(ownerOfCharge('3712000000000064-2')).toEqual(owner);
  });

  it('of another owner names its kind, so that no two owners share a key', () => {
    const owners = [
      chargeOwnerOfBasket({ basketId: 64 }),
      ...(['instalment', 'renewal'] as const).map((kind) => ({ kind, id: 64 })),
    ];
    const keys = owners.map((owner) => chargeKey(owner, 1));
    expect(keys).toEqual(['64-1', 'instalment-64-1', 'renewal-64-1']);
    expect(keys.map(ownerOfCharge)).toEqual(owners);
  });
});
