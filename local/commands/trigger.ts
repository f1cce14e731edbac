import { createServer } from 'node:http';
import * as v from 'valibot';
import { type WebhookEventType, webhookEventTypes } from '../../shared/domain/webhooks/event-types.ts';
import { closeServer, listen, loopback } from '../cloud/http/listen.ts';
import { readBody } from '../cloud/http/read-body.ts';
import { moveTime } from '../run/control.ts';
import { instalmentScenarios } from './buy-in-instalments.ts';
import { CommandError } from './running.ts';
import type { Sent } from './sent.ts';
import { customerScenarios } from './trigger-customers.ts';
import { type Actor, buyOnInvoice, buyTicket, customer, disputeOrder, ListOf } from './trigger-purchases.ts';
import { waitingListScenarios } from './wait-for-tickets.ts';
import { withdrawalScenarios } from './withdraw.ts';

export const triggerUsage = `npm run trigger -- <type>   makes an event of this type happen on the demo, with real operations

Types:
${webhookEventTypes.map((type) => `  ${type}`).join('\n')}

webhook_endpoint.failing moves the time of the local run by an hour, because an endpoint counts as failing after that time.
instalment.failed and instalment.action_required move it by a month and more, until an instalment is due.
membership.renewal_due moves it by eleven months, until the renewal of a membership is announced, membership.lapsed by a year.
waiting_list.expired moves it by a day, until an offer has passed.
document.issued moves it by a minute or two, until the receipts of sales are issued.`;

const Endpoint = v.object({ webhook_endpoint_id: v.string(), status: v.string() });

type Scenario = (actor: Actor, sent: Sent) => Promise<void>;

/** One scenario for each type of event. It does what an integrator, a gate or an operator would do. */
const scenarios: Readonly<Record<WebhookEventType, Scenario>> = {
  'order.completed': async (actor) => void (await buyTicket(actor)),
  'order.cancelled': (actor) => changeOrder(actor, 'cancel'),
  'order.refunded': (actor) => changeOrder(actor, 'refund'),
  'order.refund_failed': async (actor) => {
    const { order_id } = await buyTicket(actor, 'pm_card_refundFail');
    await actor.call('POST', `/v1/orders/${order_id}/refunds`, {});
  },
  'order.payment_recorded': async (actor) => {
    const { order_id } = await buyOnInvoice(actor);
    await actor.call('POST', `/v1/orders/${order_id}/payments`, { amount: 1, kind: 'bank_transfer' });
  },
  'order.disputed': async (actor) => disputeOrder(actor),
  'member.created': async (actor) => void (await createMember(actor)),
  'member.updated': async (actor) => {
    const memberId = await createMember(actor);
    await actor.call('PUT', `/v1/members/${memberId}/fulfillment_tracking_code`, {
      fulfillment_tracking_code: 'AB123456789AU',
    });
  },
  'membership.renewed': async (actor) => {
    const memberId = await buyMembership(actor, { membership_type_id: await typeOfAYear(actor) });
    await buyMembership(actor, { renews: memberId });
  },
  'membership.renewal_due': async (actor, sent) => {
    await buyRenewing(actor);
    // Within the last month of the year.
    await moveTime(actor.connection, 345 * 86_400);
    await sent(() => moveTime(actor.connection, 60));
  },
  'membership.lapsed': async (actor, sent) => {
    const memberId = await buyMembership(actor, { membership_type_id: await typeOfAYear(actor) });
    await moveTime(actor.connection, 368 * 86_400);
    await sent(() => moveTime(actor.connection, 60), memberId);
  },
  ...withdrawalScenarios,
  'membership.cancelled': async (actor) => {
    const memberId = await buyMembership(actor, { membership_type_id: await typeOfAYear(actor) });
    await actor.call('POST', `/v1/members/${memberId}/cancel`, { when: 'now', refund: 'all' });
  },
  'ticket.scanned': async (actor) => {
    const { event_id, tickets } = await buyTicket(actor);
    await actor.call('POST', `/v1/events/${event_id}/scans`, { barcode: tickets[0]?.barcode });
  },
  'ticket.updated': async (actor) => {
    const { tickets } = await buyTicket(actor);
    await actor.call('PATCH', `/v1/tickets/${tickets[0]?.ticket_id}`, {
      holder: { first_name: 'Grace', last_name: 'Hopper' },
    });
  },
  'ticket.transfer_offered': async (actor) => void (await offerTicket(actor)),
  'ticket.transferred': async (actor) => {
    const { transfer_id, accept_token } = await offerTicket(actor);
    const name = { first_name: 'Grace', last_name: 'Hopper' };
    await actor.call('POST', `/v1/transfers/${transfer_id}/accept`, { accept_token, ...name });
  },
  'event.created': async (actor) => void (await createEvent(actor)),
  'event.updated': async (actor) => {
    const { event_id, utc_event_start_date } = await publishedEvent(actor);
    const later = new Date(Date.parse(utc_event_start_date) + 1_800_000).toISOString();
    await actor.call('PATCH', `/v1/events/${event_id}`, { utc_event_start_date: later });
  },
  'price.updated': async (actor) => {
    const { event_id } = await publishedEvent(actor);
    const path = `/v1/events/${event_id}/prices`;
    const Priced = v.object({ price_id: v.number(), price: v.number() });
    const [first] = v.parse(ListOf(Priced), await actor.call('GET', path)).data;
    if (first === undefined) throw new CommandError(`The event ${event_id} has no prices.`);
    await actor.call('PATCH', `${path}/${first.price_id}`, { price: first.price + 1 });
  },
  'event.cancelled': async (actor) => {
    const { event_id } = v.parse(v.object({ event_id: v.string() }), await createEvent(actor));
    await actor.call('POST', `/v1/events/${event_id}/cancel`, { refund: 'all', reason: 'Storm' });
  },
  ...instalmentScenarios,
  ...waitingListScenarios,
  ...customerScenarios,
  'document.issued': async (actor, sent) => {
    const { order_id } = await buyTicket(actor);
    await sent(() => moveTime(actor.connection, 60), order_id);
  },
  'webhook_endpoint.failing': (actor, sent) =>
    withEndpoint(actor, { status: 500, types: ['webhook.test'] }, async (endpointId) => {
      await actor.call('POST', `/v1/webhook_endpoints/${endpointId}/test`);
      await untilAttempted(actor, endpointId);
      await moveTime(actor.connection, 3_600);
      await sent(() => moveTime(actor.connection, 60));
    }),
  'webhook_endpoint.disabled': (actor) =>
    withEndpoint(actor, { status: 410, types: ['webhook.test'] }, async (endpointId) => {
      await actor.call('POST', `/v1/webhook_endpoints/${endpointId}/test`);
      await until('the endpoint is disabled', async () => {
        const { status } = v.parse(Endpoint, await actor.call('GET', `/v1/webhook_endpoints/${endpointId}`));
        return status === 'disabled' ? status : undefined;
      });
    }),
  // To every endpoint that is enabled: a test event is sent to one endpoint only.
  'webhook.test': async (actor) => {
    const { data } = v.parse(ListOf(Endpoint), await actor.call('GET', '/v1/webhook_endpoints'));
    for (const { webhook_endpoint_id } of data.filter(({ status }) => status === 'enabled')) {
      await actor.call('POST', `/v1/webhook_endpoints/${webhook_endpoint_id}/test`);
    }
  },
};

const Event = v.looseObject({ id: v.string(), type: v.string() });
export type HappenedEvent = v.InferOutput<typeof Event>;

/** Makes an event of this type happen and returns it as webhook endpoints receive it. */
export async function trigger(actor: Actor, type: string): Promise<HappenedEvent> {
  const known = webhookEventTypes.find((candidate) => candidate === type);
  if (known === undefined) throw new CommandError(`There is no event type ${type}.\n\n${triggerUsage}`);
  const scenario = scenarios[known];
  const bodies: string[] = [];
  let happened: string | undefined;
  await withEndpoint(actor, { status: 200, types: [known], onBody: (body) => bodies.push(body) }, async () => {
    const sent: Sent = async (meanwhile, about) => {
      const find = async () => bodies.find((body) => about === undefined || body.includes(String(about)));
      happened ??= await until(`the service sends ${known}`, find, meanwhile);
    };
    await scenario(actor, sent);
    await sent();
  });
  if (happened === undefined) throw new CommandError(`The service has not sent ${known}.`);
  return v.parse(Event, JSON.parse(happened));
}

/** A membership of a year that renews itself. */
async function buyRenewing(actor: Actor): Promise<void> {
  const memberId = await buyMembership(actor, { membership_type_id: await typeOfAYear(actor) });
  await actor.call('PUT', `/v1/members/${memberId}/payment_method`, { payment_method: 'pm_card_visa' });
  const agreed = { consent: true, consent_text: 'I agree that my membership renews itself every year.' };
  await actor.call('PUT', `/v1/members/${memberId}/auto_renew`, { auto_renew: true, ...agreed });
}

const Offered = v.object({ transfer_id: v.string(), accept_token: v.string() });

async function offerTicket(actor: Actor): Promise<v.InferOutput<typeof Offered>> {
  const { tickets } = await buyTicket(actor);
  const path = `/v1/tickets/${tickets[0]?.ticket_id}/transfers`;
  return v.parse(Offered, await actor.call('POST', path, { email: 'grace@example.com' }));
}

async function changeOrder(actor: Actor, command: 'cancel' | 'refund'): Promise<void> {
  const { order_id } = await buyTicket(actor);
  await actor.admin('order', command, actor.orgId, String(order_id), '--yes');
}

const Published = v.object({ event_id: v.string(), utc_event_start_date: v.string() });

async function publishedEvent(actor: Actor): Promise<v.InferOutput<typeof Published>> {
  const [first] = v.parse(ListOf(Published), await actor.call('GET', '/v1/events?event_status_id=1')).data;
  if (first === undefined) throw new CommandError('The demo has no published event.');
  return first;
}

/** A draft, so it does not appear in a shop. */
async function createEvent(actor: Actor): Promise<unknown> {
  const start = { utc_event_start_date: '2026-10-31T08:30:00Z', currency: 'AUD' };
  return actor.call('POST', '/v1/events', { title: 'Harbour City FC v Northport', ...start });
}

async function createMember(actor: Actor): Promise<string> {
  const customers = v.parse(
    ListOf(v.object({ user_id: v.number() })),
    await actor.call('GET', '/v1/customers?limit=1'),
  );
  const member = { user_id: customers.data[0]?.user_id, first_name: 'Grace', last_name: 'Hopper' };
  return v.parse(v.object({ member_id: v.string() }), await actor.call('POST', '/v1/members', member)).member_id;
}

/** A membership type that is sold for a year, so its memberships can be renewed. */
async function typeOfAYear(actor: Actor): Promise<number> {
  const Type = v.object({
    membership_type_id: v.number(),
    term_months: v.nullable(v.number()),
    persons: v.number(),
  });
  const types = v.parse(ListOf(Type), await actor.call('GET', '/v1/membership_types'));
  const known = types.data.find(({ term_months, persons }) => term_months !== null && persons === 1);
  if (known !== undefined) return known.membership_type_id;
  const Category = v.object({ membership_category_id: v.number() });
  const [category] = v.parse(ListOf(Category), await actor.call('GET', '/v1/membership_categories')).data;
  const type = { ...category, title: 'Supporter', price: 30, currency: 'AUD', term_months: 12 };
  return v.parse(Type, await actor.call('POST', '/v1/membership_types', type)).membership_type_id;
}

/** Buys or renews a membership for one person. Returns the member. */
async function buyMembership(actor: Actor, item: object): Promise<number> {
  const basket = v.parse(v.object({ id: v.string() }), await actor.call('POST', '/v1/baskets', { org: actor.orgId }));
  await actor.call('POST', `/v1/baskets/${basket.id}/items`, { ...item, quantity: 1 });
  const Sold = v.object({ memberships: v.tuple([v.object({ membership_member_id: v.number() })]) });
  const body = { customer, payment_method: 'pm_card_visa' };
  const order = v.parse(Sold, await actor.call('POST', `/v1/baskets/${basket.id}/checkout`, body));
  return order.memberships[0].membership_member_id;
}

interface TemporaryEndpoint {
  /** The status of every answer. */
  readonly status: number;
  readonly types: readonly WebhookEventType[];
  readonly onBody?: (body: string) => void;
}

/** Registers a receiver for as long as the work takes. */
async function withEndpoint(
  actor: Actor,
  { status, types, onBody }: TemporaryEndpoint,
  work: (endpointId: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      onBody?.(body?.toString('utf8') ?? '');
      response.writeHead(status).end();
    });
  });
  const url = `http://${loopback}:${await listen(server, 0)}/`;
  const body = { url, types, description: 'npm run trigger' };
  const Created = v.object({ webhook_endpoint_id: v.string() });
  // Whatever the service answers: a server that listens would keep the command from ending.
  try {
    const { webhook_endpoint_id } = v.parse(Created, await actor.call('POST', '/v1/webhook_endpoints', body));
    try {
      await work(webhook_endpoint_id);
    } finally {
      await actor.call('DELETE', `/v1/webhook_endpoints/${webhook_endpoint_id}`);
    }
  } finally {
    await closeServer(server);
  }
}

const Delivery = v.object({ attempts: v.array(v.unknown()) });

async function untilAttempted(actor: Actor, endpointId: string): Promise<void> {
  await until('the service has called the endpoint', async () => {
    const { data } = v.parse(
      ListOf(Delivery),
      await actor.call('GET', `/v1/webhook_endpoints/${endpointId}/deliveries`),
    );
    return data[0]?.attempts[0];
  });
}

const pollMs = 500;
const maxPolls = 600;

async function until<Value>(
  what: string,
  find: () => Promise<Value | undefined>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Value> {
  for (let poll = 1; poll <= maxPolls; poll += 1) {
    const found = await find();
    if (found !== undefined) return found;
    // Rarely: a function that runs for longer than the time is moved by would be stopped.
    if (poll % 60 === 0) await meanwhile();
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new CommandError(`Five minutes have passed and not yet: ${what}.`);
}
