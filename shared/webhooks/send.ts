import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Reply } from '../domain/webhooks/evaluate-reply.ts';
import type { Clock } from '../platform/clock.ts';
import { forbiddenUrl, type GuardOptions } from './address-guard.ts';
import { ForbiddenAddress, guardedLookup, type Resolve } from './guarded-lookup.ts';

/** The status decides. The body is only for the delivery log, so its limits in time and size are small. */
const limits = { connectMs: 3_000, totalMs: 15_000, bodyMs: 1_000 };
const maxBodyBytes = 16 * 1_024;
const maxHeaderBytes = 16 * 1_024;
const storedCharacters = 256;
/** Receivers close idle connections. A connection that was idle for longer than this is not reused. */
const idleMs = 4_000;

export interface Posted {
  readonly reply: Reply;
  readonly durationMs: number;
  /** The beginning of the response body; null without one. */
  readonly text: string | null;
  readonly retryAfter: string | undefined;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Tests resolve names themselves and use shorter limits. */
export interface SendOptions {
  readonly resolve?: Resolve;
  readonly limits?: Partial<typeof limits>;
}

/** A response that takes longer than this is slow. */
const slowMs = 250;

/** `onSlow` is called once if there is no response after a quarter of a second. */
export type Send = (post: Post, clock: Clock, onSlow?: () => void) => Promise<Posted>;

/**
 * Posts to URLs that customers have chosen. Redirects are not followed, because their addresses were not checked. A slow or
 * endless response is cut off at its limit.
 */
export function createSend(guard: GuardOptions, options: SendOptions = {}): Send {
  const { connectMs, totalMs, bodyMs } = { ...limits, ...options.limits };
  const agentOptions = { keepAlive: true, timeout: idleMs, lookup: guardedLookup(guard, options.resolve) };
  const [httpAgent, httpsAgent] = [new HttpAgent(agentOptions), new HttpsAgent(agentOptions)];
  const requestTo = (address: RequestOptions, headers: Post['headers']): ClientRequest => {
    const requestOptions = {
      ...address,
      method: 'POST',
      headers: { ...fixedHeaders, ...headers },
      maxHeaderSize: maxHeaderBytes,
    };
    return address.protocol === 'http:'
      ? requestHttp({ ...requestOptions, agent: httpAgent })
      : requestHttps({ ...requestOptions, agent: httpsAgent });
  };
  const targetOf = createTargetCache(guard);
  return async ({ url, headers, body }, clock, onSlow) => {
    const startedMs = clock.nowMs();
    const done = (
      reply: Reply,
      response: Pick<Posted, 'text' | 'retryAfter'> = { text: null, retryAfter: undefined },
    ) => ({
      ...response,
      reply,
      durationMs: Math.max(0, clock.nowMs() - startedMs),
    });
    const target = targetOf(url);
    if ('forbidden' in target) return done({ kind: 'forbidden', reason: `the URL ${target.forbidden}` });
    const request = requestTo(target.address, headers);
    const deadline = setTimeout(() => request.destroy(new SendTimeout('answering')), totalMs);
    const slow = onSlow && setTimeout(onSlow, slowMs);
    try {
      const response = await waitForResponse(request, body, connectMs);
      const text = await readBodyStart(response, bodyMs);
      return done(
        { kind: 'answer', status: response.statusCode ?? 0 },
        { text, retryAfter: response.headers['retry-after'] },
      );
    } catch (error) {
      return done(toReply(error));
    } finally {
      clearTimeout(deadline);
      clearTimeout(slow);
    }
  };
}

type Target = { readonly forbidden: string } | { readonly address: RequestOptions };
const maxTargets = 500;

/**
 * Node connects to a literal IP address without a lookup, so the URL has to be checked as well. Its text does not change, so
 * one check is enough; the address of a host name is checked for every connection (guardedLookup).
 */
function createTargetCache(guard: GuardOptions): (url: string) => Target {
  const targets = new Map<string, Target>();
  return (url) => {
    const cached = targets.get(url);
    if (cached !== undefined) return cached;
    const forbidden = forbiddenUrl(url, guard);
    const target = forbidden === undefined ? { address: urlToHttpOptions(new URL(url)) } : { forbidden };
    if (targets.size >= maxTargets) targets.clear();
    targets.set(url, target);
    return target;
  };
}

const fixedHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Gateline-Webhooks/1',
  accept: '*/*',
};

class SendTimeout extends Error {
  readonly during: 'connecting' | 'answering';

  constructor(during: SendTimeout['during']) {
    super(`The time for ${during} is up.`);
    this.during = during;
  }
}

/** The connection was closed without a response and without an error, for example by a protocol upgrade. */
class ConnectionClosed extends Error {
  readonly code = 'ECONNRESET';
}

/** Waits for the status and headers. Only the first event counts; a later error concerns the body. */
function waitForResponse(request: ClientRequest, body: string, connectMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    request.once('response', (response) => {
      hasResponse = true;
      resolve(response);
    });
    request.on('error', reject);
    // Creating an error is expensive, and after a response it would be ignored.
    request.once('close', () => hasResponse || reject(new ConnectionClosed()));
    request.once('socket', () => limitConnecting(request, connectMs));
    request.end(body);
  });
}

/** Limits the time for DNS, TCP and TLS. A reused connection has all of that behind it. */
function limitConnecting(request: ClientRequest, connectMs: number): void {
  if (request.reusedSocket) return;
  const timer = setTimeout(() => request.destroy(new SendTimeout('connecting')), connectMs);
  const stop = () => clearTimeout(timer);
  request.socket?.once('encrypted' in request.socket ? 'secureConnect' : 'connect', stop);
  request.once('close', stop);
}

/** Reads the body up to its limits in time and size. A longer body is cut off, and the connection is closed. */
function readBodyStart(response: IncomingMessage, bodyMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => response.destroy(), bodyMs);
    const end = () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8').slice(0, storedCharacters);
      resolve(text === '' ? null : text);
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBodyBytes) response.destroy();
    });
    // The status has already arrived; an incomplete body does not change it.
    response.on('error', end);
    response.once('end', end);
    response.once('close', end);
  });
}

function toReply(error: unknown): Reply {
  if (error instanceof SendTimeout) return { kind: 'timeout', during: error.during };
  if (error instanceof ForbiddenAddress) return { kind: 'forbidden', reason: error.message };
  return { kind: 'failure', code: errorCode(error) };
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Node tried several addresses: the first error is enough.
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error.name;
}
