import { useEffect, useState } from 'preact/hooks';
import { money, secondOf } from '../../site/browser/state/format.ts';
import { everyPage } from './api.ts';
import { isCreditNoteDue } from './credit-notes.ts';
import type { OrderRefund } from './resources.ts';

/** A receipt or a credit note. */
export interface OrderDocument {
  readonly document_id: string;
  readonly kind: 'receipt' | 'credit_note';
  readonly number: string;
  readonly issued_at: number;
  readonly total: number;
  readonly currency: string;
}

interface DocumentsProps {
  readonly orderId: string;
  readonly documents: readonly OrderDocument[];
  readonly refunds: readonly OrderRefund[];
  readonly timezone: string;
}

const everyMs = 5_000;
/** A credit note that is not there after three minutes is not waited for. */
const mostTries = 36;

export const documentsOf = (orderId: string): Promise<readonly OrderDocument[]> =>
  everyPage<OrderDocument>(`/v1/documents?order_id=${orderId}&limit=500`);

const kindWords = { receipt: 'Receipt', credit_note: 'Credit note' } as const;

/** The receipts and credit notes of an order. They appear within a minute, if the organisation issues them. */
export function Documents({ orderId, documents: first, refunds, timezone }: DocumentsProps) {
  const [documents, setDocuments] = useState(first);
  const [triesLeft, setTriesLeft] = useState(mostTries);
  useEffect(() => {
    setDocuments(first);
    setTriesLeft(mostTries);
  }, [first, refunds]);
  useEffect(() => {
    if (triesLeft === 0 || !isCreditNoteDue(documents, refunds)) return;
    const again = async (): Promise<void> => {
      setDocuments(await documentsOf(orderId).catch(() => documents));
      setTriesLeft(triesLeft - 1);
    };
    const timer = setTimeout(() => void again(), everyMs);
    return () => clearTimeout(timer);
  }, [documents, refunds, triesLeft]);
  if (documents.length === 0) return null;
  return (
    <section class="stack">
      <h2>Receipts and credit notes</h2>
      <ul class="lines">
        {documents.map((document) => (
          <li key={document.document_id} class="line">
            <span>
              {kindWords[document.kind]} {document.number}, {money(document.total, document.currency)}
              <span class="hint">{secondOf(document.issued_at, timezone)}</span>
            </span>
            <a
              class="button quiet small"
              href={`/office/api/v1/documents/${document.document_id}/pdf`}
              target="_blank"
              rel="noreferrer"
            >
              PDF<span class="visually-hidden"> of {document.number}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
