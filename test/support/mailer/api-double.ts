import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen, loopback } from '../../../local/cloud/http/listen.ts';

export interface ApiDouble {
  readonly url: string;
  /** What the API answers, by path with its query, or without it. A path that is not here is a 404. */
  readonly answers: Map<string, object>;
  /** What the mailer has changed: method, path and body. */
  readonly changes: string[];
  /** While it is true, every request gets 503. */
  isDown: boolean;
  stop(): Promise<void>;
}

const organisation = {
  name: 'Harbour <City> FC',
  timezone: 'Europe/Berlin',
  background_color: '#0b2545',
  locale: 'en',
};

const event = {
  event_id: '7',
  title: 'Harbour City FC v Rovers',
  venue_name: 'Harbour Park',
  utc_event_start_date: '2026-05-02T17:30:00Z',
  timezone: 'Europe/Berlin',
  event_status_id: '1',
};

/** Answers what a mailer reads of the API. */
export async function startApiDouble(): Promise<ApiDouble> {
  const answers = new Map<string, object>([
    ['/v1/organisation', organisation],
    ['/v1/events/7', event],
  ]);
  const changes: string[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', method } = request;
    if (method !== 'GET') changes.push(`${method} ${url} ${await text(request)}`);
    const found = answers.get(url) ?? answers.get(url.split('?')[0] ?? '');
    const status = found === undefined ? 404 : 200;
    response.writeHead(double.isDown ? 503 : status).end(JSON.stringify(found ?? { error: {} }));
  });
  const double = {
    url: `http://${loopback}:${await listen(server, 0)}`,
    answers,
    changes,
    isDown: false,
    stop: () => closeServer(server),
  };
  return double;
}

/** An order with one ticket, as the API shows it, and the event that announces it. */
export function givenOrder({ url, answers }: Pick<ApiDouble, 'url' | 'answers'>, id: number, fields: object = {}) {
  const ticket = {
    ticket_id: id * 10,
    ticket_status_id: 1,
    barcode: `BARCODE${id}`,
    price_title: 'Adult',
    price_category_title: 'East Stand',
    ticket_name: 'Ada Lovelace',
    section_label: null,
    seat_row: null,
    seat_title: null,
    event_id: '7',
  };
  const order = {
    order_id: id,
    email_address: `buyer${id}@example.com`,
    first_name: 'Ada',
    currency: 'EUR',
    total: 30,
    outstanding: 0,
    due_unix: null,
    event_id: '7',
    event_title: event.title,
    link: `${url}/v1/orders/${id}/page?token=gl_order_secret${id}`,
    tickets: [ticket],
    memberships: [],
    ...fields,
  };
  answers.set(`/v1/orders/${id}`, order);
  const link = `${url}/v1/tickets/${ticket.ticket_id}/page?token=gl_ticket_secret${id}`;
  answers.set(`/v1/tickets/${ticket.ticket_id}`, { ...ticket, link });
  return { id: `evt_completed${id}`, type: 'order.completed', data: { order } };
}
