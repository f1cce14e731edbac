import { handle as setAddress } from '../../../functions/api/orders/set-invoice-address.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { readBook, saveReceiptSettings } from '../../../shared/data/receipts/book.ts';
import { settingsProblem } from '../../../shared/domain/receipts/settings.ts';
import { setInvoiceAddress } from '../../../shared/operations/orders/set-invoice-address.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import type { CheckoutDeps } from '../../../shared/sales/deps.ts';
import { issueReceipts, waitingSince } from '../../../shared/sales/receipts/issue-receipts.ts';
import { receiptSettings } from '../issued-receipts.ts';
import type { Club } from './club.ts';
import { newest } from './member-steps.ts';
import { call, nothing, outcomeOf, type Scene, type Steps } from './scene.ts';

/** Switches receipts on in the middle of the season, or changes their settings, as the CLI does. */
async function setUpReceipts({ club: { orgId }, deps: { table, clock }, choose }: Scene): Promise<string> {
  const before = await readBook(table, orgId);
  const last = before?.settings.at(-1);
  const { seller, prefix, creditPrefix } = last ?? receiptSettings;
  const next = {
    ...receiptSettings,
    sinceUnix: unixSeconds(clock) + 1,
    seller: choose([seller, { ...seller, taxId: null }]),
    prefix: last === undefined ? prefix : choose([prefix, 'R-', 'S-', 'T/']),
    creditPrefix: last === undefined ? creditPrefix : choose([creditPrefix, 'C-', 'S-C']),
    yearly: choose([true, false]),
  };
  if (settingsProblem(before?.settings ?? [], next) !== undefined) return 'prefix_used';
  const saved = await saveReceiptSettings(table, orgId, before, next);
  return saved === undefined ? 'somebody was first' : 'changed';
}

/** The buyer of a new order asks, or of one of which a part came back: then the receipt that it replaces has less than was sold. */
async function giveAddress(scene: Scene): Promise<string> {
  const { club, outside, choose } = scene;
  const read = await Promise.all(club.orders.slice(-20).map((id) => readOrder(outside, club.orgId, id)));
  const returned = read.filter((order) => order?.status === 'confirmed' && order.refundedMinor > 0);
  const orderId = choose([choose(club.orders.slice(-newest)), choose(returned)?.orderId]);
  if (orderId === undefined) return nothing;
  const params = { order_id: String(orderId) };
  const body = { company: 'Example Pty Ltd', city: 'Melbourne', country: 'AU' };
  return outcomeOf(await call(scene, setInvoiceAddress, setAddress, { params, body }));
}

/** Receipts and credit notes, whose worker runs with the others, and at any other moment. */
export const receiptSteps: Steps = {
  'set up receipts': { weight: 1, run: setUpReceipts },
  'give an invoice address': { weight: 4, run: giveAddress },
  'issue receipts': {
    weight: 2,
    run: ({ deps, club: { orgId } }) => issueReceipts({ ...deps, hasTime: () => true }, orgId),
  },
};

/** Whether an entry waits for its documents that is old enough to have them. */
export async function isReceiptLate(deps: Omit<CheckoutDeps, 'orgId'>, { orgId }: Club): Promise<boolean> {
  return (await waitingSince({ ...deps, hasTime: () => true }, orgId)) !== undefined;
}
