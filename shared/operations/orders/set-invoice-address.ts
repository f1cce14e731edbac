import { ordersAccess } from '../../data/orders/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { defineOperation } from '../operation.ts';
import { OrderInvoiceAddress } from '../schemas/invoice-address.ts';
import { InvoiceAddressInput } from './invoice-address-fields.ts';
import { orderPath } from './order-path.ts';

export const setInvoiceAddress = defineOperation({
  id: 'set-invoice-address',
  resource: 'orders',
  summary: 'Set the invoice address of an order',
  description: `Says whom the receipt of an order is made out to, if the checkout did not: once, within 60 days of the order, and not after everything of it was cancelled or refunded. The same
address again changes nothing. If your organisation issues receipts, a credit note for what is left of the first receipt and a new receipt with the buyer follow within a minute; the journal has an entry \`invoice_address\` without lines.`,
  method: 'PUT',
  paths: ['/v1/orders/{order_id}/invoice_address'],
  auth: {
    kind: 'metered',
    scope: 'orders:write',
    ssoUser: 'linked_on_pages',
    storefront: { sees: 'an order of the signed-in fan' },
  },
  input: { params: orderPath, body: InvoiceAddressInput },
  output: {
    schema: OrderInvoiceAddress,
    problems: ['invoice_address_set', 'invoice_address_closed', 'parameter_missing'],
    links: [{ to: 'retrieve-order', params: { order_id: '$response.body#/order_id' } }],
  },
  effects: {
    access: [
      ssoAccess.findSignedInUser,
      ordersAccess.findOrderRef,
      ordersAccess.readOrderAt,
      ordersAccess.setInvoiceAddress,
    ],
    emits: [],
    cannotBeUndone: true,
  },
});
