import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../local/http/listen.ts';
import { readBody } from '../../local/http/read-body.ts';
import { codeSamples } from '../../local/reference/samples.ts';
import { recordedCall } from '../../shared/openapi/examples.ts';
import { needsFanToken } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { hasCurl, runShell, runTypeScript } from '../support/documents.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const variables = { GATELINE_API_KEY: 'gl_test_key', GATELINE_SSO_TOKEN: 'token-of-the-fan', HOME: '/nowhere' };
const arrived: unknown[] = [];
let url = '';

/** Keeps each request and answers it with an empty object. */
const server = createServer((request, response) => {
  void readBody(request).then((body) => {
    const text = String(body ?? '');
    arrived.push({
      method: request.method,
      path: request.url,
      authorization: request.headers.authorization,
      fan: request.headers['x-sso-token'],
      body: text === '' ? undefined : { type: request.headers['content-type'], json: JSON.parse(text) },
    });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
});
beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server, 0)}`;
});
afterAll(() => closeServer(server));

/** What the sample of each operation must send: its recorded call. */
const expected = () =>
  operations.map((operation) => {
    const call = recordedCall(operation);
    const path = operation.paths[0].replaceAll(/\{(\w+)\}/g, (_match, name: string) => call?.params?.[name] ?? '');
    const query = new URLSearchParams(call?.query).toString();
    return {
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      authorization: operation.auth.kind === 'public' ? undefined : 'Bearer gl_test_key',
      fan: needsFanToken(operation) ? 'token-of-the-fan' : undefined,
      body: call?.body === undefined ? undefined : { type: 'application/json', json: call.body },
    };
  });

const sources = (label: string): readonly string[] =>
  operations.map((operation) => {
    const call = recordedCall(operation);
    const sample = call && codeSamples(operation, call, url).find((one) => one.label === label);
    return v.parse(v.string(), sample?.source, { message: `${operation.id} has no sample.` });
  });

/** One program with all samples, because a process for each would be slow. */
const runners: Readonly<Record<string, (code: readonly string[]) => Promise<string>>> = {
  ...(hasCurl && { curl: (code: readonly string[]) => runShell(code.join('\n'), variables) }),
  TypeScript: (code) => runTypeScript(code.map((one) => `{\n${one}\n}`).join('\n'), variables),
  ...(hasPython && {
    Python: (code: readonly string[]) => runShell(`python3 - <<'END'\n${code.join('\n')}\nEND`, variables),
  }),
};

describe('the code samples of the reference page', () => {
  it.each(Object.entries(runners))(
    'the samples in %s send the recorded call of every operation',
    async (label, run) => {
      arrived.length = 0;
      await run(sources(label));
      expect(arrived).toEqual(expected());
    },
  );
});
