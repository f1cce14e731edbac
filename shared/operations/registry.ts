import { addBasketItem } from './baskets/add-basket-item.ts';
import { addBasketSeats } from './baskets/add-basket-seats.ts';
import { applyCode } from './baskets/apply-code.ts';
import { cancelBasket } from './baskets/cancel-basket.ts';
import { checkOutBasket } from './baskets/check-out-basket.ts';
import { listHeldBaskets } from './baskets/list-held-baskets.ts';
import { openBasket } from './baskets/open-basket.ts';
import { preparePayment } from './baskets/prepare-payment.ts';
import { removeBasketItem } from './baskets/remove-basket-item.ts';
import { removeBasketLine } from './baskets/remove-basket-line.ts';
import { removeCode } from './baskets/remove-code.ts';
import { retrieveBasket } from './baskets/retrieve-basket.ts';
import { updateBasketLine } from './baskets/update-basket-line.ts';
import { cancelEvent } from './catalogue/cancel-event.ts';
import { copyEvent } from './catalogue/copy-event.ts';
import { createEvent } from './catalogue/create-event.ts';
import { createMembershipCategory } from './catalogue/create-membership-category.ts';
import { createMembershipPaymentOption } from './catalogue/create-membership-payment-option.ts';
import { createMembershipType } from './catalogue/create-membership-type.ts';
import { createPhase } from './catalogue/create-phase.ts';
import { createPool } from './catalogue/create-pool.ts';
import { createPrice } from './catalogue/create-price.ts';
import { createPriceCategory } from './catalogue/create-price-category.ts';
import { createVenue } from './catalogue/create-venue.ts';
import { deletePhase } from './catalogue/delete-phase.ts';
import { listPhases } from './catalogue/list-phases.ts';
import { listPools } from './catalogue/list-pools.ts';
import { listPriceCategories } from './catalogue/list-price-categories.ts';
import { listVenues } from './catalogue/list-venues.ts';
import { updateEvent } from './catalogue/update-event.ts';
import { updateMembershipCategory } from './catalogue/update-membership-category.ts';
import { updateMembershipPaymentOption } from './catalogue/update-membership-payment-option.ts';
import { updateMembershipType } from './catalogue/update-membership-type.ts';
import { updatePhase } from './catalogue/update-phase.ts';
import { updatePool } from './catalogue/update-pool.ts';
import { updatePrice } from './catalogue/update-price.ts';
import { updatePriceCategory } from './catalogue/update-price-category.ts';
import { updateVenue } from './catalogue/update-venue.ts';
import { createCodeCampaign } from './codes/create-code-campaign.ts';
import { createCodes } from './codes/create-codes.ts';
import { deleteCode } from './codes/delete-code.ts';
import { listCodeCampaigns } from './codes/list-code-campaigns.ts';
import { listCodes } from './codes/list-codes.ts';
import { retrieveCodeCampaign } from './codes/retrieve-code-campaign.ts';
import { updateCodeCampaign } from './codes/update-code-campaign.ts';
import { listConsents } from './customers/list-consents.ts';
import { listCustomers } from './customers/list-customers.ts';
import { recordConsent } from './customers/record-consent.ts';
import { retrieveCustomer } from './customers/retrieve-customer.ts';
import { setCustomerAttributes } from './customers/set-customer-attributes.ts';
import { setCustomerMetadata } from './customers/set-customer-metadata.ts';
import { listDocuments } from './documents/list-documents.ts';
import { retrieveDocument } from './documents/retrieve-document.ts';
import { retrieveDocumentPdf } from './documents/retrieve-document-pdf.ts';
import { eventInventory } from './events/event-inventory.ts';
import { eventSalesSummary } from './events/event-sales-summary.ts';
import { eventSettlement } from './events/event-settlement.ts';
import { eventStatsByPrice } from './events/event-stats-by-price.ts';
import { eventStatsByPriceCategory } from './events/event-stats-by-price-category.ts';
import { listEventOrders } from './events/list-event-orders.ts';
import { listEventPrices } from './events/list-event-prices.ts';
import { listEventScans } from './events/list-event-scans.ts';
import { listEventTickets } from './events/list-event-tickets.ts';
import { listEvents } from './events/list-events.ts';
import { recordScan } from './events/record-scan.ts';
import { retrieveEvent } from './events/retrieve-event.ts';
import { retrieveEventSeats } from './events/retrieve-event-seats.ts';
import { retrieveJob } from './jobs/retrieve-job.ts';
import { listJournalEntries } from './journal/list-journal-entries.ts';
import { retrieveTakings } from './journal/retrieve-takings.ts';
import { cancelMember } from './members/cancel-member.ts';
import { createMember } from './members/create-member.ts';
import { fulfilMembers } from './members/fulfil-members.ts';
import { listMemberTerms } from './members/list-member-terms.ts';
import { listMembers } from './members/list-members.ts';
import { listOverdueMembers } from './members/list-overdue-members.ts';
import { payInstalment } from './members/pay-instalment.ts';
import { retrieveMember } from './members/retrieve-member.ts';
import { retrieveMemberApplePass } from './members/retrieve-member-apple-pass.ts';
import { retrieveMemberGooglePass } from './members/retrieve-member-google-pass.ts';
import { retrievePaymentPlan } from './members/retrieve-payment-plan.ts';
import { setAutoRenew } from './members/set-auto-renew.ts';
import { setMemberMetadata } from './members/set-member-metadata.ts';
import { setMemberSeat } from './members/set-member-seat.ts';
import { setPaymentMethod } from './members/set-payment-method.ts';
import { setTrackingCode } from './members/set-tracking-code.ts';
import { listMembershipCategories } from './membership/list-membership-categories.ts';
import { listMembershipPaymentOptions } from './membership/list-membership-payment-options.ts';
import { listMembershipTypes } from './membership/list-membership-types.ts';
import type { Operation } from './operation.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import { listOrderRefunds } from './orders/list-order-refunds.ts';
import { listOrders } from './orders/list-orders.ts';
import { listOverdueOrders } from './orders/list-overdue-orders.ts';
import { listRefundsToReturn } from './orders/list-refunds-to-return.ts';
import { moveTicketSeat } from './orders/move-ticket-seat.ts';
import { recordOrderPayment } from './orders/record-order-payment.ts';
import { recordRefundReturn } from './orders/record-refund-return.ts';
import { refundOrder } from './orders/refund-order.ts';
import { retrieveOrder } from './orders/retrieve-order.ts';
import { retrieveOrderPdf } from './orders/retrieve-order-pdf.ts';
import { setInvoiceAddress } from './orders/set-invoice-address.ts';
import { setOrderMetadata } from './orders/set-order-metadata.ts';
import { retrieveOrganisation } from './organisation/retrieve-organisation.ts';
import { retrieveRateLimit } from './rate-limit/retrieve-rate-limit.ts';
import { listRequests } from './requests/list-requests.ts';
import { createSeatBlock } from './seat-maps/create-seat-block.ts';
import { createSeatMap } from './seat-maps/create-seat-map.ts';
import { deleteSeatBlock } from './seat-maps/delete-seat-block.ts';
import { listSeatBlocks } from './seat-maps/list-seat-blocks.ts';
import { listSeatMaps } from './seat-maps/list-seat-maps.ts';
import { retrieveSeatMap } from './seat-maps/retrieve-seat-map.ts';
import { updateSeatMap } from './seat-maps/update-seat-map.ts';
import { health } from './service/health.ts';
import { openapi } from './service/openapi.ts';
import { linkSsoUser } from './sso/link-sso-user.ts';
import { listSsoMemberships } from './sso/list-sso-memberships.ts';
import { listSsoOrderTickets } from './sso/list-sso-order-tickets.ts';
import { listSsoOrders } from './sso/list-sso-orders.ts';
import { unlinkSsoUser } from './sso/unlink-sso-user.ts';
import { acceptTransfer } from './tickets/accept-transfer.ts';
import { cancelOwnTicket } from './tickets/cancel-own-ticket.ts';
import { cancelTransfer } from './tickets/cancel-transfer.ts';
import { listTransfers } from './tickets/list-transfers.ts';
import { previewTransfer } from './tickets/preview-transfer.ts';
import { retrieveTicket } from './tickets/retrieve-ticket.ts';
import { retrieveTicketApplePass } from './tickets/retrieve-ticket-apple-pass.ts';
import { retrieveTicketGooglePass } from './tickets/retrieve-ticket-google-pass.ts';
import { retrieveTicketPdf } from './tickets/retrieve-ticket-pdf.ts';
import { transferTicket } from './tickets/transfer-ticket.ts';
import { updateTicket } from './tickets/update-ticket.ts';
import { confirmWaitingListEntry } from './waiting-lists/confirm-waiting-list-entry.ts';
import { joinWaitingList } from './waiting-lists/join-waiting-list.ts';
import { leaveWaitingList } from './waiting-lists/leave-waiting-list.ts';
import { listWaitingList } from './waiting-lists/list-waiting-list.ts';
import { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './webhooks/delete-webhook-endpoint.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './webhooks/list-webhook-endpoints.ts';
import { listWebhookEvents } from './webhooks/list-webhook-events.ts';
import { redeliverWebhook } from './webhooks/redeliver-webhook.ts';
import { replayWebhooks } from './webhooks/replay-webhooks.ts';
import { retrieveWebhookEndpoint } from './webhooks/retrieve-webhook-endpoint.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from './webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './webhooks/update-webhook-endpoint.ts';
import { confirmWithdrawal } from './withdrawals/confirm-withdrawal.ts';
import { decideWithdrawal } from './withdrawals/decide-withdrawal.ts';
import { listWithdrawals } from './withdrawals/list-withdrawals.ts';
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts';
import { retrieveWithdrawal } from './withdrawals/retrieve-withdrawal.ts';

/** The only list of operations. Its order is the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  retrieveOrganisation,
  listCustomers,
  retrieveCustomer,
  setCustomerAttributes,
  recordConsent,
  listConsents,
  setCustomerMetadata,
  listEvents,
  retrieveEvent,
  listEventPrices,
  retrieveEventSeats,
  eventStatsByPriceCategory,
  eventStatsByPrice,
  eventSalesSummary,
  eventSettlement,
  listEventOrders,
  listEventScans,
  listEventTickets,
  recordScan,
  eventInventory,
  listOrders,
  retrieveOrder,
  refundOrder,
  recordOrderPayment,
  listOverdueOrders,
  listRefundsToReturn,
  listOrderRefunds,
  cancelOrder,
  moveTicketSeat,
  retrieveOrderPdf,
  recordRefundReturn,
  setInvoiceAddress,
  setOrderMetadata,
  retrieveTicket,
  retrieveTicketPdf,
  retrieveTicketApplePass,
  retrieveTicketGooglePass,
  updateTicket,
  transferTicket,
  cancelOwnTicket,
  listTransfers,
  previewTransfer,
  acceptTransfer,
  cancelTransfer,
  openBasket,
  retrieveBasket,
  addBasketItem,
  addBasketSeats,
  removeBasketItem,
  preparePayment,
  checkOutBasket,
  cancelBasket,
  updateBasketLine,
  removeBasketLine,
  listHeldBaskets,
  applyCode,
  removeCode,
  createCodeCampaign,
  listCodeCampaigns,
  retrieveCodeCampaign,
  updateCodeCampaign,
  createCodes,
  listCodes,
  deleteCode,
  listMembers,
  retrieveMember,
  retrieveMemberApplePass,
  retrieveMemberGooglePass,
  createMember,
  fulfilMembers,
  setMemberMetadata,
  setTrackingCode,
  setMemberSeat,
  listMemberTerms,
  retrievePaymentPlan,
  payInstalment,
  setPaymentMethod,
  setAutoRenew,
  cancelMember,
  listOverdueMembers,
  listMembershipTypes,
  listMembershipCategories,
  listMembershipPaymentOptions,
  listSsoOrders,
  listSsoOrderTickets,
  listSsoMemberships,
  linkSsoUser,
  unlinkSsoUser,
  joinWaitingList,
  listWaitingList,
  confirmWaitingListEntry,
  leaveWaitingList,
  requestWithdrawal,
  confirmWithdrawal,
  listWithdrawals,
  retrieveWithdrawal,
  decideWithdrawal,
  createWebhookEndpoint,
  listWebhookEndpoints,
  retrieveWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  listWebhookDeliveries,
  redeliverWebhook,
  replayWebhooks,
  listWebhookEvents,
  listJournalEntries,
  retrieveTakings,
  cancelEvent,
  retrieveJob,
  createEvent,
  updateEvent,
  copyEvent,
  listPriceCategories,
  createPriceCategory,
  updatePriceCategory,
  listPools,
  createPool,
  updatePool,
  listPhases,
  createPhase,
  updatePhase,
  deletePhase,
  createPrice,
  updatePrice,
  createMembershipCategory,
  updateMembershipCategory,
  createMembershipType,
  updateMembershipType,
  createMembershipPaymentOption,
  updateMembershipPaymentOption,
  listVenues,
  createVenue,
  updateVenue,
  listRequests,
  createSeatMap,
  listSeatMaps,
  retrieveSeatMap,
  updateSeatMap,
  createSeatBlock,
  listSeatBlocks,
  deleteSeatBlock,
  listDocuments,
  retrieveDocument,
  retrieveDocumentPdf,
  retrieveRateLimit,
  openapi,
  health,
];
