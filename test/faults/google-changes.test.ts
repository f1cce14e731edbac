import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { callService } from '../support/call-service.ts';
import { type Service, shareService } from '../support/service.ts';
import { givenTickets } from '../support/tickets.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
const orgId = 'org_googled';

let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

const call = (path: string, options?: { readonly method?: string; readonly body?: object }) =>
  callService(service, key, path, options);

const Payload = v.looseObject({ id: v.string() });
const Saved = v.object({
  payload: v.object({
    eventTicketClasses: v.optional(v.tuple([Payload])),
    eventTicketObjects: v.optional(v.tuple([Payload])),
    genericObjects: v.optional(v.tuple([Payload])),
  }),
});

/** The ids of what the save link of a ticket or member contains. */
async function savedIds(path: string) {
  const { body } = await service.call(`${path}/google_pass`, { key });
  const { save_url } = v.parse(v.object({ save_url: v.string() }), body);
  const claims: unknown = JSON.parse(Buffer.from(save_url.split('.').at(-2) ?? '', 'base64url').toString('utf8'));
  const { eventTicketClasses, eventTicketObjects, genericObjects } = v.parse(Saved, claims).payload;
  return { event: eventTicketClasses?.[0].id, ticket: eventTicketObjects?.[0].id, member: genericObjects?.[0].id };
}

/** Waits until the last that Google was told of a class or object matches. */
const told = (id: string | undefined, shows: object) =>
  vi.waitFor(
    () => expect(service.googleChanges.filter((change) => change.id === id).at(-1)?.body).toMatchObject(shows),
    {
      timeout: 15_000,
      interval: 100,
    },
  );
const Offer = v.looseObject({ transfer_id: v.string(), accept_token: v.string() });

describe('saved Google passes', () => {
  it('follow a moved event with one change of its class, another name, a transfer and a refund', async () => {
    const { ticketId, placed, event } = await givenTickets(service.table, { orgId, startUnix: farFutureUnix });
    const saved = await savedIds(`/v1/tickets/${ticketId}`);
    await call(`/v1/events/${event.eventId}`, {
      method: 'PATCH',
      body: { utc_event_start_date: '2035-05-05T18:00:00Z' },
    });
    await told(saved.event, { dateTime: { start: '2035-05-05T18:00:00.000Z' } });
    // The service is shared with other files.
    const ofEvent = service.googleChanges.filter(({ id }) => id.includes(`.${orgId}.`));
    expect(ofEvent.map(({ kind }) => kind)).toEqual(['eventTicketClass']);
    expect((await savedIds(`/v1/tickets/${ticketId}`)).event).toBe(saved.event);

    const holder = { first_name: 'Grace', last_name: 'Hopper' };
    await call(`/v1/tickets/${ticketId}`, { method: 'PATCH', body: { holder } });
    await told(saved.ticket, { state: 'ACTIVE', ticketHolderName: 'Grace Hopper', barcode: { type: 'QR_CODE' } });

    const offered = await call(`/v1/tickets/${ticketId}/transfers`, { body: { email: 'joan@example.com' } });
    const { transfer_id, accept_token } = v.parse(Offer, offered);
    await call(`/v1/transfers/${transfer_id}/accept`, {
      body: { accept_token, first_name: 'Joan', last_name: 'Clarke' },
    });
    const next = await savedIds(`/v1/tickets/${ticketId}`);
    expect(next.ticket).not.toBe(saved.ticket);
    await told(saved.ticket, { state: 'INACTIVE' });
    const former = service.googleChanges.filter(({ id }) => id === saved.ticket).at(-1);
    expect(JSON.stringify(former?.body)).not.toMatch(/barcode|Grace|Joan/);
    await told(next.ticket, { state: 'ACTIVE', ticketHolderName: 'Joan Clarke' });

    await call(`/v1/orders/${placed.orderId}/refunds`, { body: { ticket_ids: [ticketId] } });
    await told(next.ticket, { state: 'INACTIVE' });
    const friend = `${saved.ticket}`.replace(`t${ticketId}-`, `t${ticketId + 1}-`);
    await told(friend, { state: 'ACTIVE' });
  });
});
