import { findOrderRef, readOrderAt } from '../../../shared/data/orders/read.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readReceipt } from '../../../shared/data/receipts/read.ts';
import { receiptPdf } from '../../../shared/documents/receipt-pdf.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { isForFan } from '../../../shared/http/handlers/callers/own-member.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { retrieveDocumentPdf } from '../../../shared/operations/documents/retrieve-document-pdf.ts';

export const handle: Handle<typeof retrieveDocumentPdf> = async ({ params }, deps) => {
  const { table, caller, clock } = deps;
  const { orgId } = caller;
  const fan = isForFan(deps) ? await authenticateFan(deps) : undefined;
  const [document, organisation] = await Promise.all([
    readReceipt(table, orgId, params.document_id),
    readOrganisation(table, orgId),
  ]);
  if (document === undefined || organisation === undefined) throw notFound('document');
  if (fan !== undefined) {
    const ref = await findOrderRef(table, orgId, String(document.orderId));
    const placed = ref && (await readOrderAt(table, orgId, ref));
    // Another person's document looks like a missing one.
    if (placed?.order.userId !== fan.userId) throw notFound('document');
  }
  const { locale, timezone } = organisation;
  const bytes = await receiptPdf(document, { locale, timezone, nowMs: clock.nowMs() });
  return new FileOutput(bytes, `${document.number.replaceAll(/[^A-Za-z0-9-]/g, '-')}.pdf`);
};

export const handler = pipeline(retrieveDocumentPdf, handle);
