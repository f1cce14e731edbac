import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { SmallButton } from '../../../site/browser/parts/button.tsx';
import { WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import type { List } from '../../../site/browser/resources.ts';
import { config } from '../../../site/browser/state/config.ts';
import { answerOf, send } from '../../../site/browser/state/request.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import type { Receipt } from '../resources.ts';
import { askShop } from '../state/api.ts';
import { signedIn } from '../state/session.ts';

/** The receipts and credit notes of an order, once the fan asks for them. */
export function OrderReceipts({ orderId }: { readonly orderId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the receipts' : 'Receipts'}
        <span class="visually-hidden"> of order {orderId}</span>
      </SmallButton>
      {isOpen && <Receipts orderId={orderId} />}
    </>
  );
}

function Receipts({ orderId }: { readonly orderId: string }) {
  const request = { order_id: orderId, sso_token: signedIn().ssoToken };
  // The list needs a key, which only the shop's server has.
  const loaded = useLoaded(() => askShop<List<Receipt>>('/receipts', request), [orderId]);
  return (
    <WhenLoaded of={loaded} what="the receipts">
      {({ data }) =>
        data.length === 0 ? (
          <p class="hint">There is no receipt yet. It takes about a minute, if the club issues receipts.</p>
        ) : (
          <div class="buttons">
            {data.map((receipt) => (
              <ActionButton key={receipt.document_id} act={() => download(receipt)}>
                {receipt.kind === 'receipt' ? 'Receipt' : 'Credit note'} {receipt.number}
              </ActionButton>
            ))}
          </div>
        )
      }
    </WhenLoaded>
  );
}

/** A link cannot send the token of the fan, so the page fetches the file and hands it to the browser. */
async function download({ document_id, number }: Receipt): Promise<void> {
  const { apiUrl, storefrontToken } = config();
  const headers = { Authorization: `Bearer ${storefrontToken}`, 'X-SSO-Token': signedIn().ssoToken ?? '' };
  const response = await send(`${apiUrl}/v1/documents/${document_id}/pdf`, { headers });
  if (!response.ok) return void (await answerOf(response));
  const url = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href: url, download: `${number}.pdf` }).click();
  URL.revokeObjectURL(url);
}
