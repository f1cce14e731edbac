import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { readBody } from '../../local/cloud/http/read-body.ts';
import { codeSamples } from '../../local/reference/samples/samples.ts';
import { sampleSteps } from '../../local/reference/samples/steps.ts';
import { recordedCall } from '../../shared/openapi/examples.ts';
import { needsFanToken, type Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { hasCurl, runShell, runTypeScript } from '../support/documents.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { amount } from '../support/thorough.ts';

interface Arrived {
  readonly method: string | undefined;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fan: string | string[] | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
const variables = {
  GATELINE_API_KEY: 'gl_test_key',
  GATELINE_SSO_TOKEN: 'token-of-the-fan',
  GATELINE_NEW_SSO_TOKEN: 'token-of-another-fan',
  HOME: '/nowhere',
};
/** No sample changes the link of the fan whom the other samples need. */
const tokenFor = (operation: Operation): string | undefined => {
  if (!needsFanToken(operation)) return undefined;
  return ['link-sso-user', 'unlink-sso-user'].includes(operation.id) ? 'token-of-another-fan' : 'token-of-the-fan';
};
/** The requests of each sample. A request to `/next` begins another one. */
let arrived: Arrived[][] = [];
let url = '';

/** The path of an operation, with a pattern for each id. The lines of a basket are counted from 1. */
const pathPattern = ({ paths: [template] }: Operation): RegExp =>
  new RegExp(`^${template.replace('{line_id}', '1').replaceAll(/\{\w+\}/g, String.raw`[\w-]{6,}`)}$`);

/** The recorded checkout has tickets only, and some samples buy a membership instead. */
const soldMembership = {
  tickets: [],
  memberships: [{ membership_member_id: 3_772_326_144_387_976, barcode: 'WQBZCCXXQR649BV0BZ' }],
};
const isOfMembership = ({ body }: Arrived): boolean => isRecord(body) && 'membership_type_id' in body;

/** Keeps each request and answers it with the recorded response. */
const server = createServer((request, response) => {
  void readBody(request).then((body) => {
    const [text, path] = [String(body ?? ''), request.url ?? ''];
    const { authorization, 'x-sso-token': fan, 'content-type': type } = request.headers;
    if (path === '/next') arrived.push([]);
    else
      arrived.at(-1)?.push({
        method: request.method,
        path,
        authorization,
        fan,
        type,
        body: text === '' ? undefined : JSON.parse(text),
      });
    const called = operations.find(
      (operation) => operation.method === request.method && pathPattern(operation).test(path.split('?')[0] ?? ''),
    );
    const isSold = called?.id === 'check-out-basket' && (arrived.at(-1)?.some(isOfMembership) ?? false);
    const answer = called && { ...recordedCall(called)?.response, ...(isSold && soldMembership) };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
});
beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server, 0)}`;
});
afterAll(() => closeServer(server));

/** curl is a process for each request, so `npm test` runs every eighth sample. The other languages run all in one process. */
const sampledIn = (label: string): readonly Operation[] =>
  operations.filter((_, index) => label !== 'curl' || index % amount(8, 1) === 0);

const sources = (label: string): readonly string[] =>
  sampledIn(label).map((operation) => codeSamples(operation, url).find((one) => one.label === label)?.source ?? '');

/** One program with all samples, because a process for each would be slow. */
const runners: Readonly<Record<string, (code: readonly string[]) => Promise<string>>> = {
  ...(hasCurl && {
    // A sample may download a file.
    curl: (code: readonly string[]) =>
      runShell(['cd "$(mktemp -d)"', ...code.map((one) => `curl -s ${url}/next\n${one}`)].join('\n'), variables),
  }),
  TypeScript: (code) =>
    runTypeScript(code.map((one) => `await fetch('${url}/next');\n{\n${one}\n}`).join('\n'), variables),
  ...(hasPython && {
    Python: (code: readonly string[]) =>
      runShell(
        `python3 - <<'END'\n${code.map((one) => `import urllib.request\nurllib.request.urlopen("${url}/next")\n${one}`).join('\n')}\nEND`,
        variables,
      ),
  }),
};

describe('the code samples of the reference page', () => {
  const sent = new Map<string, readonly Arrived[][]>();

  it.each(Object.entries(runners))('in %s call every operation as it was recorded', async (label, run) => {
    arrived = [];
    await run(sources(label));
    sent.set(label, arrived);
    expect(arrived).toHaveLength(sampledIn(label).length);
    for (const [index, operation] of sampledIn(label).entries()) {
      const last = arrived[index]?.at(-1);
      const call = recordedCall(operation);
      const [path = '', query = ''] = (last?.path ?? '').split('?');
      expect(last?.method, operation.id).toBe(operation.method);
      expect(path, operation.id).toMatch(pathPattern(operation));
      const { order_id: _, ...asked } = call?.query ?? {};
      expect(query, operation.id).toBe(new URLSearchParams(asked).toString());
      expect(last?.authorization, operation.id).toBe(
        operation.auth.kind === 'public' ? undefined : 'Bearer gl_test_key',
      );
      expect(last?.fan, operation.id).toBe(tokenFor(operation));
      expect(last?.type, operation.id).toBe(call?.body === undefined ? undefined : 'application/json');
      // The values of ids are those of earlier responses. An id that was not found would be left out.
      // A sample leaves out the code of a new object, so it can run more than once.
      const recorded = Object.keys(fieldsOf(call?.body ?? {})).filter(
        (name) => name !== 'code' || operation.id === 'apply-code',
      );
      expect(Object.keys(fieldsOf(last?.body ?? {})), operation.id).toEqual(recorded);
    }
  });

  it.skipIf(!hasPython)('in Python end with the text of a refusal', async () => {
    const health = operations.find(({ id }) => id === 'health');
    const refusal = { error: { code: 'parameter_unknown', message: 'Unknown parameter page.' } };
    const refusing = createServer((_, response) => void response.writeHead(400).end(JSON.stringify(refusal)));
    const address = `http://127.0.0.1:${await listen(refusing, 0)}`;
    const sample = health && codeSamples(health, address).find(({ label }) => label === 'Python');
    const ended = await runShell(`python3 - 2>&1 <<'END' || true\n${sample?.source}\nEND`, variables);
    await closeServer(refusing);
    expect(JSON.parse(ended)).toEqual(refusal);
  });

  it('change no event of the demo, but one that they make', () => {
    const isOfCatalogue = ({ resource, method, input }: Operation) =>
      ['catalogue', 'events'].includes(resource) && method !== 'GET' && 'event_id' in input.params.entries;
    // A block of seats and a scan end with the sample, or change nothing for others.
    const harmless = ['record-scan', 'create-seat-block', 'delete-seat-block'];
    const changing = operations.filter((one) => isOfCatalogue(one) && !harmless.includes(one.id));
    expect(changing.map(({ id }) => id)).toEqual(expect.arrayContaining(['cancel-event', 'create-phase']));
    for (const operation of changing) {
      const [step] = sampleSteps(operation).slice(-1);
      expect(step?.params.event_id, operation.id).toMatchObject({ from: 'create-event' });
    }
  });

  it('name no time that passes', () => {
    const nextGeneration = Date.UTC(2060, 0, 1);
    for (const operation of operations) {
      JSON.parse(JSON.stringify(sampleSteps(operation).map(({ body }) => body ?? null)), (key, value) => {
        const isIso = typeof value === 'string' && /^20\d\d-\d\d-\d\dT/.test(value);
        const isUnix = typeof value === 'number' && /unix/.test(key);
        if (isIso) expect(Date.parse(value), `${operation.id} ${key}`).toBeGreaterThan(nextGeneration);
        if (isUnix) expect(value * 1000, `${operation.id} ${key}`).toBeGreaterThan(nextGeneration);
        return value;
      });
    }
  });

  it('send the same requests in every language, and make what they need first', () => {
    const withoutFan = (samples: readonly Arrived[][] | undefined) =>
      samples?.map((requests) => requests.map(({ fan: _fan, ...request }) => request));
    for (const [label, samples] of sent) {
      const same = sent
        .get('TypeScript')
        ?.filter((_, index) => sampledIn(label).includes(operations[index] as Operation));
      expect(withoutFan(samples)).toEqual(withoutFan(same));
    }
    const at = operations.findIndex(({ id }) => id === 'check-out-basket');
    const { id: basket } = recordedCall(operations.find(({ id }) => id === 'open-basket') as Operation)?.response ?? {};
    expect(sent.get('TypeScript')?.[at]?.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/events',
      expect.stringMatching(/^POST \/v1\/events\/\d+\/price_categories$/),
      expect.stringMatching(/^POST \/v1\/events\/\d+\/pools$/),
      expect.stringMatching(/^POST \/v1\/events\/\d+\/prices$/),
      expect.stringMatching(/^PATCH \/v1\/events\/\d+$/),
      'POST /v1/baskets',
      `POST /v1/baskets/${basket}/items`,
      `POST /v1/baskets/${basket}/checkout`,
    ]);
  });
});
