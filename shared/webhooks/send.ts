import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { Reply } from '../domain/webhook-verdict.ts';
import type { Clock } from '../platform/clock.ts';
import { forbiddenUrl, type GuardOptions } from './address-guard.ts';
import { ForbiddenAddress, guardedLookup, type Resolve } from './guarded-lookup.ts';

/** How long things may take. The status decides; the body is only for the delivery log, so it gets little time and room. */
const limits = { connectMs: 3_000, totalMs: 15_000, bodyMs: 1_000 };
const mostBodyBytes = 16 * 1_024;
const keptCharacters = 256;

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
  const dispatcher = new Agent({
    connect: { timeout: connectMs, lookup: guardedLookup(guard, options.resolve) },
    allowH2: false,
    maxHeaderSize: mostBodyBytes,
    // The signal below ends the whole; these would end parts of it, later.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
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
    // A literal address is connected to without a look-up, so it has to be judged here.
    const forbidden = forbiddenUrl(url, guard);
    if (forbidden !== undefined) return done({ kind: 'forbidden', reason: `the URL ${forbidden}` });
    const signal = AbortSignal.timeout(totalMs);
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { ...fixedHeaders, ...headers },
        body,
        signal,
        dispatcher,
      });
      const retryAfter = answer.headers['retry-after'];
      return done(
        { kind: 'answer', status: answer.statusCode },
        { text: await beginning(answer.body, bodyMs), retryAfter: [retryAfter].flat()[0] },
      );
    } catch (error) {
      return done(replyOf(error, signal));
    }
  };
}

const fixedHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Gateline-Webhooks/1',
  accept: '*/*',
};

/** What comes within a moment and the room for it. The rest is cut off, and with it the connection. */
async function beginning(body: Readable, bodyMs: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A body that is cut off says so by an error, also when nobody reads it any more.
  body.on('error', () => {});
  const timer = setTimeout(() => body.destroy(), bodyMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= mostBodyBytes) break;
    }
  } catch {
    // The status was said; that the body broke off changes nothing about it.
  } finally {
    clearTimeout(timer);
  }
  const text = Buffer.concat(chunks).toString('utf8').slice(0, keptCharacters);
  return text === '' ? null : text;
}

function replyOf(error: unknown, signal: AbortSignal): Reply {
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { kind: 'timeout', during: 'connecting' };
  if (signal.aborted) return { kind: 'timeout', during: 'answering' };
  if (error instanceof ForbiddenAddress) return { kind: 'forbidden', reason: error.message };
  return { kind: 'failure', code };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried: the first tells as much as all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error.name;
}
