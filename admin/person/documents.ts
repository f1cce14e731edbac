import { receiptsOfOrder } from '../../shared/data/receipts/read.ts';
import { documentResource } from '../../shared/mappers/document.ts';
import { findOrders } from './orders.ts';
import type { PersonSection } from './section.ts';

/**
 * The receipts and credit notes of the person's orders. An erasure leaves them: the law has the organisation keep them for years, with the
 * address that they were made out to. Then the worker of receipts removes the buyer (ADR 77).
 */
export const documentsSection: PersonSection = {
  name: 'documents',
  async collect(person) {
    const { table, orgId } = person;
    const found = (await findOrders(person)).map(({ orderId }) => receiptsOfOrder(table, orgId, orderId));
    return (await Promise.all(found)).flat().map(documentResource);
  },
  async erase() {
    return 0;
  },
};
