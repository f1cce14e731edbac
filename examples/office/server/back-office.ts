import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Gateline } from '../../site/server/gateline.ts';
import type { IdentityProvider } from '../../site/server/options.ts';
import { readBody } from '../../site/server/read-body.ts';
import type { OfficeOptions } from './options.ts';
import { readStaffToken } from './staff.ts';

/** What the office may do with its key. Nothing else of the API can be reached through this server. */
const operations = [
  'GET /v1/venues',
  'POST /v1/venues',
  'PATCH /v1/venues/:id',
  'GET /v1/membership_payment_options',
  'POST /v1/membership_payment_options',
  'PATCH /v1/membership_payment_options/:id',
  'GET /v1/membership_types',
  'GET /v1/events',
  'POST /v1/events',
  'GET /v1/events/:id',
  'PATCH /v1/events/:id',
  'POST /v1/events/:id/copy',
  'POST /v1/events/:id/cancel',
  'GET /v1/jobs/:id',
  'GET /v1/orders',
  'GET /v1/orders/:id',
  'GET /v1/orders/:id/pdf',
  'GET /v1/orders/:id/refunds',
  'POST /v1/orders/:id/refunds',
  'POST /v1/orders/:id/refunds/:id/return',
  'POST /v1/orders/:id/payments',
  'POST /v1/orders/:id/cancel',
  'POST /v1/orders/:id/tickets/:id/seat',
  'GET /v1/documents',
  'GET /v1/documents/:id/pdf',
  'GET /v1/tickets/:id',
  'PATCH /v1/tickets/:id',
  'GET /v1/customers',
  'GET /v1/customers/:id/consents',
  'GET /v1/members',
  'GET /v1/members/:id',
  'GET /v1/members/:id/payment_plan',
  'GET /v1/events/:id/price_categories',
  'POST /v1/events/:id/price_categories',
  'PATCH /v1/events/:id/price_categories/:id',
  'GET /v1/events/:id/prices',
  'POST /v1/events/:id/prices',
  'PATCH /v1/events/:id/prices/:id',
  'GET /v1/events/:id/pools',
  'POST /v1/events/:id/pools',
  'PATCH /v1/events/:id/pools/:id',
  'GET /v1/events/:id/stats/prices',
  'GET /v1/events/:id/sales_summary',
  'GET /v1/events/:id/inventory',
  'GET /v1/events/:id/seats',
  'GET /v1/events/:id/seat_blocks',
  'POST /v1/events/:id/seat_blocks',
  'DELETE /v1/events/:id/seat_blocks/:id',
  'GET /v1/events/:id/tickets',
  'GET /v1/seat_maps',
  'GET /v1/seat_maps/:id',
  'GET /v1/withdrawals',
  'GET /v1/withdrawals/:id',
  'POST /v1/withdrawals/:id/decision',
  'GET /v1/events/:id/waiting_list',
  'DELETE /v1/events/:id/waiting_list/:id',
  'GET /v1/events/:id/phases',
  'POST /v1/events/:id/phases',
  'PATCH /v1/events/:id/phases/:id',
  'DELETE /v1/events/:id/phases/:id',
  'GET /v1/code_campaigns',
  'POST /v1/code_campaigns',
  'GET /v1/code_campaigns/:id',
  'PATCH /v1/code_campaigns/:id',
  'GET /v1/code_campaigns/:id/codes',
  'POST /v1/code_campaigns/:id/codes',
  'DELETE /v1/code_campaigns/:id/codes/:id',
  'GET /v1/events/:id/held_baskets',
  'POST /v1/baskets',
  'GET /v1/baskets/:id',
  'DELETE /v1/baskets/:id',
  'POST /v1/baskets/:id/items',
  'POST /v1/baskets/:id/seats',
  'POST /v1/baskets/:id/checkout',
  'GET /v1/takings',
  'GET /v1/requests',
  'GET /v1/members/overdue',
].map((operation) => new RegExp(`^${operation.replaceAll(':id', '[\\w%-]+')}$`));

/** The headers that a page may send to the API. */
const forwarded = ['if-match', 'idempotency-key'];

const sessionHours = 8;

interface Session {
  readonly name: string;
  /** Who takes and returns money in this session. */
  readonly operator: string;
  readonly endsMs: number;
}

/**
 * The back office: it holds the key, knows who is signed in, and passes on the calls of staff. A session is a random name in a cookie that no
 * script reads. It ends with this process; with several servers, keep sessions in a store that they share.
 */
export class BackOffice {
  readonly #gateline: Gateline;
  readonly #identity: IdentityProvider;
  readonly #now: () => number;
  /** A browser has one cookie of a name for all ports of a host, and a demo runs several offices. */
  readonly #cookie: string;
  readonly #sessions = new Map<string, Session>();

  constructor({ apiUrl, orgId, officeKey, identity }: OfficeOptions, now: () => number) {
    this.#cookie = `office_${orgId}`;
    this.#gateline = new Gateline(apiUrl, officeKey);
    this.#identity = identity;
    this.#now = now;
  }

  async respond(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    // Every browser names the page that sends a change. The cookie alone would come with a form of another site, too.
    if (request.method !== 'GET' && !isFromOwnPage(request)) {
      return refuse(response, 403, 'other_origin', 'Only pages of this office may change something.');
    }
    if (`${request.method} ${path}` === 'POST /office/session') return this.#signIn(request, response);
    const id = cookieIn(request, this.#cookie);
    const session = this.#sessions.get(id);
    if (session === undefined || session.endsMs <= this.#now()) {
      return refuse(response, 401, 'not_signed_in', 'You are not signed in. Sign in again.');
    }
    if (path.startsWith('/office/api/')) {
      return this.#pass(request, response, path.slice('/office/api'.length), session);
    }
    if (request.method === 'DELETE') this.#sessions.delete(id);
    json(response, 200, { name: session.name });
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signIn = readStaffToken(await readBody(request), this.#identity);
    switch (signIn.outcome) {
      case 'no valid token':
        return refuse(
          response,
          401,
          'token_invalid',
          'The identity provider has not signed this token, or it has ended.',
        );
      case 'not staff':
        return refuse(
          response,
          403,
          'not_staff',
          'This account is not one of the staff, so it cannot open the office.',
        );
      case 'staff': {
        for (const [id, { endsMs }] of this.#sessions) if (endsMs <= this.#now()) this.#sessions.delete(id);
        const id = randomBytes(32).toString('base64url');
        const { name, operator } = signIn;
        this.#sessions.set(id, { name, operator, endsMs: this.#now() + sessionHours * 3_600_000 });
        // Add Secure where the office is served with https.
        response.setHeader('Set-Cookie', `${this.#cookie}=${id}; Path=/office; HttpOnly; SameSite=Strict`);
        return json(response, 200, { name });
      }
    }
  }

  /** Passes a call on to the API, and its answer back: the page shows the API's errors beside their fields. */
  async #pass(request: IncomingMessage, response: ServerResponse, path: string, { operator }: Session): Promise<void> {
    const method = request.method ?? '';
    if (!operations.some((operation) => operation.test(`${method} ${path}`))) {
      return refuse(response, 404, 'not_offered', 'The office does not offer this operation.');
    }
    const [, query] = (request.url ?? '').split('?');
    const asked = query === undefined ? path : `${path}?${query}`;
    if (path.endsWith('/pdf')) return this.#passFile(response, asked);
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const body = hasBody ? withOperator(path, await readBody(request), operator) : undefined;
    const headers = Object.fromEntries(
      forwarded.flatMap((name) => (typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [])),
    );
    const answer = await this.#gateline.send(method, asked, { body, headers });
    if (answer.retryAfter !== null) response.setHeader('Retry-After', answer.retryAfter);
    const isReduced = answer.status === 200 && path.endsWith('/tickets');
    json(response, answer.status, isReduced ? soldSeats(answer.text) : answer.text);
  }

  async #passFile(response: ServerResponse, path: string): Promise<void> {
    const { status, type, bytes } = await this.#gateline.download(path);
    response.writeHead(status, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(bytes);
  }
}

/** Who takes or returns money is who is signed in, whatever a page says: the journal keeps it. */
function withOperator(path: string, text: string, operator: string): string {
  if (!/\/(checkout|payments|refunds|return)$/.test(path)) return text;
  const body = parsed(text);
  if (body === undefined) return text;
  if (path.endsWith('/checkout')) {
    return body.tender ? JSON.stringify({ ...body, tender: { ...body.tender, operator } }) : text;
  }
  // A refund of the provider is handed over by nobody.
  const isByHand = path.endsWith('/payments') || body.returned_by != null;
  return isByHand ? JSON.stringify({ ...body, operator }) : text;
}

/** What is no JSON, the API refuses. */
function parsed(text: string): MoneyBody | undefined {
  try {
    return JSON.parse(text) as MoneyBody;
  } catch {
    return undefined;
  }
}

interface MoneyBody {
  readonly tender?: object | null;
  readonly returned_by?: string | null;
}

/** The tickets of an event name people. The plan of its seats needs the seats of those that are sold, and nothing else. */
function soldSeats(list: string): object {
  const { data, next_cursor } = JSON.parse(list) as TicketList;
  // An invoice may have tickets that are not valid before it is paid: their seats are sold.
  const sold = data.filter(
    ({ ticket_id, ticket_status_id }) => ticket_id !== null && [0, 1].includes(ticket_status_id),
  );
  const seats = sold.map(({ section_label, seat_row, seat_title }) => [section_label, seat_row, seat_title]);
  return { data: seats.filter((seat) => !seat.includes(null)).map((seat) => seat.join('/')), next_cursor };
}

interface TicketList {
  readonly data: readonly {
    readonly ticket_id: number | null;
    readonly ticket_status_id: number;
    readonly section_label: string | null;
    readonly seat_row: string | null;
    readonly seat_title: string | null;
  }[];
  readonly next_cursor: string | null;
}

function isFromOwnPage({ headers: { origin = '', host } }: IncomingMessage): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

function cookieIn({ headers }: IncomingMessage, wanted: string): string {
  const cookies = (headers.cookie ?? '').split('; ').map((one) => one.split('='));
  return cookies.find(([name]) => name === wanted)?.[1] ?? '';
}

/** An error in the form of the API's, so that a page reads one form only. */
function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  json(response, status, { error: { code, message, param: null } });
}

function json(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
