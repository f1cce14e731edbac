import { basketsAccess } from '../../data/baskets/access.ts';
import { eventsAccess } from '../../data/events/access.ts';
import { journalAccess } from '../../data/journal/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { receiptsAccess } from '../../data/receipts/access.ts';
import type { FunctionAccess } from '../../domain/table-access.ts';
import { outboxAccess } from '../../outbox/access.ts';

export const issuingAccess = {
  issueReceipts: [
    receiptsAccess.organisationsWithReceipts,
    receiptsAccess.readBook,
    receiptsAccess.takeLease,
    receiptsAccess.receiptsOfOrder,
    receiptsAccess.issueDocuments,
    receiptsAccess.forgetBuyers,
    journalAccess.readJournal,
    organisationsAccess.readOrganisation,
    eventsAccess.readEvents,
    basketsAccess.readBasket,
    ordersAccess.readOrder,
    outboxAccess.outboxItems,
  ],
} satisfies FunctionAccess;
