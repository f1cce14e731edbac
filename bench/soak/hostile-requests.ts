import { type ClientRequest, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../shared/operations/registry.ts';
import type { LocalRun } from '../harness/local-run.ts';

/** What a client got: a status, or none, because it closed the connection itself. */
type Answer = number | 'aborted' | 'no response';

/** One kind of request that no client should send. */
interface HostileKind {
  readonly name: string;
  /** The answers that are right for it. */
  readonly expected: readonly Answer[];
  send(turn: number): Promise<Answer>;
}

/** How often each kind got each answer. */
export type Answers = Map<string, Map<Answer, number>>;

interface Sending {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Breaks the connection: while sending the body, or at the first byte of the response. */
  readonly abort?: 'body' | 'response';
}

/** What a patient client waits. */
const timeLimitMs = 20_000;
const megabyte = 1024 * 1024;
/** Above Lambda's limit of an event, and above API Gateway's limit of a body. */
const [largeBody, largerBody] = [Buffer.alloc(7 * megabyte, 'a'), Buffer.alloc(11 * megabyte, 'a')];
const json = { 'Content-Type': 'application/json' };

const withParameters = operations.filter(({ paths: [path] }) => path.includes('{'));
const writing = operations.filter(({ method, auth }) => method === 'POST' && auth.kind === 'metered');
const keyed = operations.filter(({ auth }) => auth.kind !== 'public');

/** Sends one request of each kind, one after the other, with a pause so that they take a given time. */
export async function sendHostile(
  run: LocalRun,
  answers: Answers,
  { turn, seconds }: { turn: number; seconds: number },
): Promise<void> {
  const kinds = hostileKinds(run);
  for (const { name, send } of kinds) {
    count(answers, name, await send(turn).catch(noResponse));
    await sleep((seconds * 1000) / kinds.length);
  }
}

const noResponse = (): Answer => 'no response';

function count(answers: Answers, name: string, answer: Answer): void {
  const counts = answers.get(name) ?? new Map<Answer, number>();
  answers.set(name, counts.set(answer, (counts.get(answer) ?? 0) + 1));
}

/** Answers that are wrong for their kind. A machine that is busy may refuse any request with 429. */
export function wrongAnswers(run: LocalRun, answers: Answers): string[] {
  return hostileKinds(run).flatMap(({ name, expected }) => {
    const wrong = [...(answers.get(name) ?? [])].filter(([answer]) => answer !== 429 && !expected.includes(answer));
    return wrong.map(
      ([answer, count]) => `Requests ${name}: ${count} got ${answer} instead of ${expected.join(' or ')}.`,
    );
  });
}

function pick<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** A path with ids that do not exist, other ones at every turn. */
const pathOf = ({ paths: [path] }: { readonly paths: readonly [string, ...string[]] }, turn: number): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${name}_${turn}`);

/**
 * The requests of an attacker or of a broken client, for every operation in turn. They go to a local run only: this is not a tool
 * for anything else.
 */
function hostileKinds({ url, keys, readOnlyKeys }: LocalRun): readonly HostileKind[] {
  if (new URL(url).hostname !== '127.0.0.1') throw new Error('Hostile requests are for a local run only.');
  const keyAt = (turn: number) => pick(keys, turn).key;
  const post = (turn: number, sending: Sending) =>
    send(url, pathOf(pick(writing, turn), turn), { method: 'POST', key: keyAt(turn), headers: json, ...sending });
  const listsAt = (turn: number) => pick(['/v1/members', '/v1/customers', '/v1/orders'], turn);
  return [
    {
      name: 'without a key',
      expected: [401],
      send: (turn) => send(url, pathOf(pick(keyed, turn), turn), { method: pick(keyed, turn).method }),
    },
    {
      name: 'with a wrong key',
      expected: [401],
      send: (turn) => send(url, pathOf(pick(keyed, turn), turn), { method: pick(keyed, turn).method, key: `x${turn}` }),
    },
    {
      name: 'without the scope',
      expected: [403],
      send: (turn) => post(turn, { key: pick(readOnlyKeys, 0), body: '{}' }),
    },
    {
      name: 'of what does not exist',
      expected: [400, 401, 403, 404],
      send: (turn) => {
        const operation = pick(withParameters, turn);
        return send(url, pathOf(operation, turn), { method: operation.method, key: keyAt(turn) });
      },
    },
    {
      name: 'on an unknown path',
      expected: [403, 404],
      send: (turn) => send(url, `/v1/${'x'.repeat(turn % 2_000)}/${turn}`, { key: keyAt(turn) }),
    },
    {
      name: 'with broken JSON',
      expected: [400, 403],
      send: (turn) => post(turn, { body: `{"a${turn}":` }),
    },
    {
      name: 'with another content type',
      expected: [403, 415],
      send: (turn) => post(turn, { body: '<a/>', headers: { 'Content-Type': 'application/xml' } }),
    },
    { name: 'of a cancelled basket', expected: [409], send: (turn) => checkOutCancelled(url, pick(keys, turn)) },
    {
      name: 'with 7 MB',
      expected: [413],
      send: (turn) => post(turn, { body: largeBody }),
    },
    {
      name: 'with 11 MB in chunks',
      expected: [413],
      send: (turn) => post(turn, { body: largerBody, headers: { ...json, 'Transfer-Encoding': 'chunked' } }),
    },
    {
      name: 'with long headers',
      expected: [431],
      send: (turn) => send(url, '/v1/events', { key: keyAt(turn), headers: { 'X-Long': 'x'.repeat(20_000) } }),
    },
    { name: 'that are not HTTP', expected: [400], send: (turn) => sendBytes(url, `\u0016\u0003\u0001${turn}\r\n\r\n`) },
    {
      name: 'aborted in the body',
      expected: ['aborted'],
      send: (turn) => post(turn, { body: largeBody, abort: 'body' }),
    },
    {
      name: 'aborted in the response',
      expected: ['aborted'],
      send: (turn) => send(url, `${listsAt(turn)}?limit=100`, { key: keyAt(turn), abort: 'response' }),
    },
  ];
}

/** More requests of one key than its limit of 300 a minute admits, one after the other. */
export async function exceedLimit({ url, readOnlyKeys }: LocalRun, answers: Answers): Promise<void> {
  const key = pick(readOnlyKeys, 1);
  for (let sent = 0; sent < 320; sent += 1)
    count(answers, 'beyond the limit of a key', await send(url, '/v1/organisation', { key }).catch(noResponse));
}

/** Checks out a basket that was cancelled. */
async function checkOutCancelled(url: string, { orgId, key }: LocalRun['keys'][number]): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}` };
  const opened = await fetch(`${url}/v1/baskets`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ org: orgId }),
  });
  const { id }: { id: string } = JSON.parse(await opened.text());
  await send(url, `/v1/baskets/${id}`, { method: 'DELETE', key });
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
  const body = JSON.stringify({ payment_method: 'pm_card_visa', customer });
  return send(url, `/v1/baskets/${id}/checkout`, { method: 'POST', key, body, headers: json });
}

function send(url: string, path: string, { method = 'GET', key, headers, body, abort }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(key !== undefined && { Authorization: `Bearer ${key}` }) };
    const options: RequestOptions = { agent: false, method, headers: all, timeout: timeLimitMs };
    const outgoing: ClientRequest = request(`${url}${path}`, options, (response) => {
      if (abort === 'response') {
        response.once('data', () => outgoing.destroy());
        response.once('close', () => resolve('aborted'));
      } else {
        // A refusal may arrive before the body is sent completely.
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      }
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`No response to ${method} ${path}.`)));
    outgoing.once('error', (error) => (abort === undefined ? reject(error) : resolve('aborted')));
    if (abort === 'body') {
      outgoing.setHeader('Content-Length', body?.length ?? 0);
      outgoing.write(body?.slice(0, megabyte), () => outgoing.destroy());
    } else outgoing.end(body);
  });
}

/** Bytes on a connection of their own. Returns the status of the response. */
function sendBytes(url: string, bytes: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(timeLimitMs, () => socket.destroy(new Error('No response to bytes that are not HTTP.')));
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(Number(received.split(' ')[1])));
  });
}
