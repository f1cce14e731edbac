import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Transfer } from '../schemas/transfer.ts';
import { ticketAccess } from './ticket-path.ts';
import { transferPath } from './transfer-path.ts';

export const cancelTransfer = defineOperation({
  id: 'cancel-transfer',
  resource: 'tickets',
  summary: 'Cancel the offer of a ticket',
  description: `Ends an offer that nobody has accepted. Its token accepts nothing any more, and the ticket can be offered again. An offer that has expired can be cancelled,
and a cancelled one stays cancelled. After the acceptance the response is 409 \`transfer_not_open\`.`,
  method: 'POST',
  paths: ['/v1/transfers/{transfer_id}/cancel'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'a transfer of a ticket that the signed-in fan holds' },
  },
  input: { params: transferPath },
  output: { schema: Transfer, problems: ['transfer_not_open'] },
  effects: { access: [...ticketAccess, salesAccess.cancelTransfer], cannotBeUndone: false },
});
