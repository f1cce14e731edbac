import type { Gateline } from '../../site/server/gateline.ts';

interface Receipt {
  readonly document_id: string;
  readonly kind: string;
  readonly number: string;
}

/**
 * The receipts and credit notes of an order, for the fan who bought it. The list needs a key, so the server asks for it, once the token of
 * the fan has shown that the order is the fan's. A real shop would keep what `document.issued` announces.
 */
export async function receiptsOf(
  gateline: Gateline,
  { apiUrl, storefrontToken }: { readonly apiUrl: string; readonly storefrontToken: string },
  body: string,
): Promise<object> {
  const { order_id, sso_token } = JSON.parse(body) as { readonly order_id?: unknown; readonly sso_token?: unknown };
  const headers = { Authorization: `Bearer ${storefrontToken}`, 'X-SSO-Token': String(sso_token) };
  const id = encodeURIComponent(String(order_id));
  const own = await fetch(`${apiUrl}/v1/sso/orders/${id}/tickets`, { headers });
  if (!own.ok) throw new Error('There is no such order.');
  const { data } = await gateline.call<{ readonly data: readonly Receipt[] }>('GET', `/v1/documents?order_id=${id}`);
  return { data: data.map(({ document_id, kind, number }) => ({ document_id, kind, number })) };
}
