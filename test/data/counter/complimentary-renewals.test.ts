import { beforeAll, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { findingsOf } from '../../support/audit.ts';
import { cash, sellAtCounter } from '../../support/counter.ts';
import { addRenewal, givenClub } from '../../support/memberships.ts';
import { daySeconds, givenRenewing, keptMinor, memberOf, renewAt, renewalOf } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('a complimentary next term ends the auto-renewal: the saved card is not charged after it', async () => {
  const deps = await givenClub(table);
  const { memberId } = await givenRenewing(deps);
  const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
  await addRenewal(deps, basketId, memberId);
  const sold = await sellAtCounter(deps, basketId, { ...cash, kind: 'complimentary', reason: 'Press' });
  expect(sold).toMatchObject({ outcome: 'confirmed' });
  const member = await memberOf(deps, memberId);
  expect(member).toMatchObject({ orderId: String(basketId), autoRenew: false });
  expect(await renewalOf(deps, memberId)).toMatchObject({ isOn: false });
  expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  const paidMinor = await keptMinor(deps);
  const { expiresUnix } = member;
  for (const days of [30, 7, 0]) await renewAt(deps, (expiresUnix ?? 0) - days * daySeconds);
  expect(await keptMinor(deps)).toBe(paidMinor);
  expect(await memberOf(deps, memberId)).toMatchObject({ expiresUnix });
});
