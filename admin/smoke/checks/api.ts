import * as v from 'valibot';
import { type Check, failed, notProvable, type Outcome, proved } from '../check.ts';
import type { Reply } from '../http.ts';
import type { OwnOrganisation } from '../own-organisation.ts';
import type { SmokeTarget } from '../target.ts';
import { gatewayConfiguration } from './gateway.ts';

const Envelope = v.object({
  error: v.object({
    type: v.string(),
    code: v.string(),
    message: v.string(),
    param: v.nullable(v.string()),
    request_id: v.pipe(v.string(), v.minLength(1)),
  }),
});

/** Checks that need nothing but the address and an organisation of their own. */
export const apiChecks = ({ orgId, key }: OwnOrganisation): readonly Check[] => [
  {
    id: 'health',
    assumption: 'The API answers at its public address and reaches the table.',
    async run({ call }) {
      const { status, text } = await call('/v1/health');
      return status === 200
        ? proved('GET /v1/health is 200.')
        : failed(`GET /v1/health is ${status}: ${text.slice(0, 200)}.`, 'See "The canary fails" in docs/runbook.md.');
    },
  },
  {
    id: 'authentication',
    assumption: 'The functions accept a key that the CLI has signed, and count its request.',
    async run({ call }) {
      const { status, headers, text } = await call('/v1/organisation', { key });
      const isOwn = status === 200 && text.includes(`"${orgId}"`);
      if (!isOwn) return failed(`GET /v1/organisation is ${status}: ${text.slice(0, 200)}.`, 'Read its log line.');
      const missing = ['request-id', 'x-ratelimit-remaining', 'ratelimit-policy'].filter((name) => !headers[name]);
      if (missing.length > 0)
        return failed(`Headers are missing: ${missing.join(', ')}.`, 'Compare with docs/api-rules.md.');
      return proved('200 for its own organisation, with the headers of the limits.');
    },
  },
  {
    id: 'gateway-responses',
    assumption: 'What API Gateway answers itself has the envelope and the headers of every response.',
    async run({ call, kind }) {
      const replies = {
        'an unknown path': [await call('/v1/no-such-path'), 404, 'route_not_found'],
        'an unknown path with a key': [await call('/v1/no-such-path', { key }), 404, 'route_not_found'],
        // The emulator accepts a body of any size.
        ...(kind !== 'emulator' && { 'a body of 11 MB': [await tooLarge(call), 413, 'body_too_large'] as const }),
      } as const;
      const problems = Object.entries(replies).flatMap(([what, [reply, status, code]]) =>
        problemsOf(reply, status, code).map((problem) => `${what}: ${problem}`),
      );
      return problems.length === 0
        ? proved(`404 without and with a key${kind === 'emulator' ? '' : ', and 413'}.`)
        : failed(problems.join(' '), 'See lib/constructs/gateway-responses.ts.');
    },
  },
  {
    id: 'gateway-request-id',
    assumption: 'context.extendedRequestId has a value in gateway responses, in the header and in the body.',
    async run({ call }) {
      const { headers, body } = await call('/v1/no-such-path');
      const parsed = v.safeParse(Envelope, body);
      const inBody = parsed.success ? parsed.output.error.request_id : '';
      const inHeader = String(headers['request-id'] ?? '');
      return inHeader !== '' && inHeader === inBody && !inHeader.includes('context')
        ? proved(`${inHeader} in both.`)
        : failed(`The header is "${inHeader}", the body has "${inBody}".`, 'See lib/constructs/gateway-responses.ts.');
    },
  },
  {
    id: 'wrong-method',
    assumption:
      'API Gateway gives a request whose path lacks the method to the catch-all path, whose mapping template names the methods.',
    async run({ call }) {
      const { status, body, text } = await call('/v1/events/1', { method: 'DELETE', key });
      const parsed = v.safeParse(Envelope, body);
      const message = parsed.success ? parsed.output.error.message : '';
      return status === 404 && message.includes('only GET')
        ? proved(message)
        : failed(`DELETE /v1/events/1 is ${status}: ${text.slice(0, 200)}.`, 'See lib/constructs/unknown-route.ts.');
    },
  },
  {
    id: 'preflight',
    assumption: 'API Gateway answers preflight requests of every path without a function.',
    async run({ call }) {
      const headers = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' };
      const { status, headers: received } = await call('/v1/events', { method: 'OPTIONS', headers });
      const allowed = received['access-control-allow-origin'];
      return status === 204 && allowed === '*'
        ? proved('204 with the CORS headers.')
        : failed(
            `OPTIONS /v1/events is ${status}, allowed origin ${allowed}.`,
            'See lib/constructs/api-definition.ts.',
          );
    },
  },
  {
    id: 'streaming',
    assumption: 'list-members without a limit is streamed, and not collected first.',
    async run(target) {
      const { status, headers, firstByteMs, lastByteMs } = await target.call('/v1/members', { key });
      const isChunked = headers['transfer-encoding'] === 'chunked' && headers['content-length'] === undefined;
      if (status !== 200) return failed(`GET /v1/members is ${status}.`, 'Read its log line.');
      const times = `first byte after ${Math.round(firstByteMs)} ms, last after ${Math.round(lastByteMs)} ms`;
      if (!isChunked && target.kind === 'emulator') return notProvable('The emulator collects responses.');
      if (!isChunked) return failed('The response has a Content-Length.', 'See responseTransferMode in ADR 30.');
      if (target.kind !== 'aws') return proved(`Chunked; ${times}.`);
      const streams = await gatewayConfiguration(target, ({ integrationsWith }) => integrationsWith('STREAM'));
      return streams > 0
        ? proved(`Chunked; API Gateway has ${streams} integrations in mode STREAM; ${times}.`)
        : failed(
            'No integration of the API has the mode STREAM.',
            'API Gateway ignored responseTransferMode of the body.',
          );
    },
  },
  {
    id: 'throttling',
    assumption: 'Beyond its throttle, the stage answers 429 with the envelope and Retry-After.',
    run: (target) => throttling(target),
  },
];

export function problemsOf({ status, headers, body }: Reply, wantedStatus: number, wantedCode: string): string[] {
  const parsed = v.safeParse(Envelope, body);
  const code = parsed.success ? parsed.output.error.code : 'no envelope';
  const required = [
    'request-id',
    'x-ratelimit-limit',
    'ratelimit-policy',
    'cache-control',
    'access-control-allow-origin',
  ];
  const missing = required.filter((name) => !headers[name]);
  return [
    ...(status === wantedStatus && code === wantedCode
      ? []
      : [`${status} ${code} instead of ${wantedStatus} ${wantedCode}.`]),
    ...(missing.length === 0 ? [] : [`without ${missing.join(', ')}.`]),
  ];
}

const bytesTooMany = 11_000_000;

/** API Gateway may close the connection before it has read everything. Then the headers alone announce the size. */
async function tooLarge(call: SmokeTarget['call']): Promise<Reply> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ text: 'x'.repeat(bytesTooMany) });
  const request = { method: 'POST', headers: { ...headers, 'Content-Length': String(body.length) } };
  try {
    return await call('/v1/members', { ...request, body });
  } catch (error) {
    const text = `The connection ended without a response: ${String(error)}`;
    return { status: 0, headers: {}, text, body: undefined, firstByteMs: 0, lastByteMs: 0 };
  }
}

/** More at once than the local run (per core) and dev (per second) let through. Nothing like it is sent to a guarded stage. */
const flood = { local: 600, dev: 1_500 } as const;

async function throttling(target: SmokeTarget): Promise<Outcome> {
  const { stage, kind, call } = target;
  if (kind === 'emulator') return notProvable('The emulator has no throttle.');
  if (stage === 'prod') {
    const template = await gatewayConfiguration(target, ({ responseTemplate }) => responseTemplate('THROTTLED'));
    return template.includes('"throttled"')
      ? notProvable('It would take 5,000 requests a second. API Gateway has the envelope of THROTTLED.')
      : failed('API Gateway does not have the envelope of THROTTLED.', 'See lib/constructs/gateway-responses.ts.');
  }
  const count = flood[stage];
  const replies = await Promise.allSettled(Array.from({ length: count }, () => call('/v1/health')));
  const answered = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  const refused = answered.filter(({ status }) => status === 429);
  const [first] = refused;
  if (first === undefined)
    return failed(`${count} requests at once got no 429.`, 'See throttlingRateLimit of the stage in API Gateway.');
  const problems = [
    ...problemsOf(first, 429, 'throttled'),
    ...(Number(first.headers['retry-after']) > 0 ? [] : ['without Retry-After.']),
  ];
  return problems.length === 0
    ? proved(`${refused.length} of ${count} requests at once.`)
    : failed(`A 429 is wrong: ${problems.join(' ')}`, 'See lib/constructs/gateway-responses.ts.');
}
