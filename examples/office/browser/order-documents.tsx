import { money, secondOf } from '../../site/browser/state/format.ts';

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
  readonly documents: readonly OrderDocument[];
  readonly timezone: string;
}

const kindWords = { receipt: 'Receipt', credit_note: 'Credit note' } as const;

/** The receipts and credit notes of an order. They appear within a minute, if the organisation issues them. */
export function Documents({ documents, timezone }: DocumentsProps) {
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
