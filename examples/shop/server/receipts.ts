import type { List } from '../../site/browser/resources.ts';
import type { Receipt } from '../browser/resources.ts';
import type { Callers } from './callers.ts';

/**
 * The receipts and credit notes of an order, for the fan who bought it. The list needs a key, so the server asks for it, once the token of
 * the fan has shown that the order is the fan's. A real shop would keep what `document.issued` announces.
 */
export async function receiptsOf({ storefront, gateline }: Callers, body: string): Promise<object> {
  const { order_id, sso_token } = JSON.parse(body) as { readonly order_id?: unknown; readonly sso_token?: unknown };
  const id = encodeURIComponent(String(order_id));
  const headers = { 'X-SSO-Token': String(sso_token) };
  const { status } = await storefront.send('GET', `/v1/sso/orders/${id}/tickets`, { headers });
  if (status !== 200) throw new Error('There is no such order.');
  const { data } = await gateline.call<List<Receipt>>('GET', `/v1/documents?order_id=${id}`);
  return { data: data.map(({ document_id, kind, number }) => ({ document_id, kind, number })) };
}
