import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Reply } from '../domain/webhooks/verdict.ts';
import type { Clock } from '../platform/clock.ts';
import { forbiddenUrl, type GuardOptions } from './address-guard.ts';
import { ForbiddenAddress, guardedLookup, type Resolve } from './guarded-lookup.ts';

/** How long things may take. The status decides; the body is only for the delivery log, so it gets little time and room. */
const limits = { connectMs: 3_000, totalMs: 15_000, bodyMs: 1_000 };
const maxBodyBytes = 16 * 1_024;
const maxHeaderBytes = 16 * 1_024;
const keptCharacters = 256;
/** Receivers close what is idle; a connection that was idle for longer than this is not tried again. */
const idleMs = 4_000;

export interface Posted {
  readonly reply: Reply;
  readonly durationMs: number;
  /** The beginning of the answer's body; null without one. */
  readonly text: string | null;
  readonly retryAfter: string | undefined;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Tests resolve names by themselves, and have less time. */
export interface SendOptions {
  readonly resolve?: Resolve;
  readonly limits?: Partial<typeof limits>;
}

export type Send = (post: Post, clock: Clock) => Promise<Posted>;

/**
 * Posts to addresses that strangers have chosen. No redirect is followed, because each would be an address that nobody has
 * judged; no answer, however slow, long or endless, holds a place for longer than its time.
 */
export function createSend(guard: GuardOptions, options: SendOptions = {}): Send {
  const { connectMs, totalMs, bodyMs } = { ...limits, ...options.limits };
  const kept = { keepAlive: true, timeout: idleMs, lookup: guardedLookup(guard, options.resolve) };
  const [plain, encrypted] = [new HttpAgent(kept), new HttpsAgent(kept)];
  const requestTo = (address: RequestOptions, headers: Post['headers']): ClientRequest => {
    const asked = {
      ...address,
      method: 'POST',
      headers: { ...fixedHeaders, ...headers },
      maxHeaderSize: maxHeaderBytes,
    };
    return address.protocol === 'http:'
      ? requestHttp({ ...asked, agent: plain })
      : requestHttps({ ...asked, agent: encrypted });
  };
  const targetOf = judgedOnce(guard);
  return async ({ url, headers, body }, clock) => {
    const startedMs = clock.nowMs();
    const done = (
      reply: Reply,
      answer: Pick<Posted, 'text' | 'retryAfter'> = { text: null, retryAfter: undefined },
    ) => ({
      ...answer,
      reply,
      durationMs: Math.max(0, clock.nowMs() - startedMs),
    });
    const target = targetOf(url);
    if ('forbidden' in target) return done({ kind: 'forbidden', reason: `the URL ${target.forbidden}` });
    const request = requestTo(target.address, headers);
    const deadline = setTimeout(() => request.destroy(new TimeIsUp('answering')), totalMs);
    try {
      const answer = await answerTo(request, body, connectMs);
      const text = await beginning(answer, bodyMs);
      return done(
        { kind: 'answer', status: answer.statusCode ?? 0 },
        { text, retryAfter: answer.headers['retry-after'] },
      );
    } catch (error) {
      return done(replyOf(error));
    } finally {
      clearTimeout(deadline);
    }
  };
}

type Target = { readonly forbidden: string } | { readonly address: RequestOptions };
const maxTargets = 500;

/**
 * A literal address is connected to without a look-up, so the URL has to be judged as well. What its text says stays true, so
 * once is enough; what a name stands for is judged anew with every connection.
 */
function judgedOnce(guard: GuardOptions): (url: string) => Target {
  const judged = new Map<string, Target>();
  return (url) => {
    const known = judged.get(url);
    if (known !== undefined) return known;
    const forbidden = forbiddenUrl(url, guard);
    const target = forbidden === undefined ? { address: urlToHttpOptions(new URL(url)) } : { forbidden };
    if (judged.size >= maxTargets) judged.clear();
    judged.set(url, target);
    return target;
  };
}

const fixedHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Gateline-Webhooks/1',
  accept: '*/*',
};

class TimeIsUp extends Error {
  readonly during: 'connecting' | 'answering';

  constructor(during: TimeIsUp['during']) {
    super(`The time for ${during} is up.`);
    this.during = during;
  }
}

/** Without an answer, and without saying why: a protocol was switched to, for one. */
class Closed extends Error {
  readonly code = 'ECONNRESET';
}

/** The answer's head. Only the first of what happens counts; an error after it concerns the body. */
function answerTo(request: ClientRequest, body: string, connectMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    request.once('response', (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    request.on('error', reject);
    // An error is dear to make, and after an answer nobody would see it.
    request.once('close', () => isAnswered || reject(new Closed()));
    request.once('socket', () => limitConnecting(request, connectMs));
    request.end(body);
  });
}

/** Until the address is found, reached and, with TLS, trusted. A connection that is used again has been through it. */
function limitConnecting(request: ClientRequest, connectMs: number): void {
  if (request.reusedSocket) return;
  const timer = setTimeout(() => request.destroy(new TimeIsUp('connecting')), connectMs);
  const stop = () => clearTimeout(timer);
  request.socket?.once('encrypted' in request.socket ? 'secureConnect' : 'connect', stop);
  request.once('close', stop);
}

/** What comes within a moment and the room for it. The rest is cut off, and with it the connection. */
function beginning(answer: IncomingMessage, bodyMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => answer.destroy(), bodyMs);
    const end = () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8').slice(0, keptCharacters);
      resolve(text === '' ? null : text);
    };
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBodyBytes) answer.destroy();
    });
    // The status was said; that the body broke off changes nothing about it.
    answer.on('error', end);
    answer.once('end', end);
    answer.once('close', end);
  });
}

function replyOf(error: unknown): Reply {
  if (error instanceof TimeIsUp) return { kind: 'timeout', during: error.during };
  if (error instanceof ForbiddenAddress) return { kind: 'forbidden', reason: error.message };
  return { kind: 'failure', code: codeOf(error) };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried: the first tells as much as all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error.name;
}
