import { createServer } from 'node:http';
import * as v from 'valibot';
import { expect } from 'vitest';
import { closeServer, listen } from '../../../local/cloud/http/listen.ts';
import type { RunningGateline } from '../../../local/commands/running.ts';
import type { RecordedCall } from '../../../shared/openapi/examples.ts';
import { needsFanToken, type Operation } from '../../../shared/operations/operation.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { fieldsOf } from '../fields-of.ts';
import type { CallContext, CallInput } from './call-input.ts';
import { calls } from './calls.ts';

interface Caller {
  readonly running: RunningGateline;
  readonly key: string;
  /** The tokens of the demo's fans. */
  readonly ssoTokens: Readonly<Record<'linked' | 'verified', string>>;
}

/** Calls every operation on the demo and returns each call with its response. */
export async function recordCalls(caller: Caller): Promise<Record<string, RecordedCall>> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200).end();
  });
  const receiverUrl = `http://127.0.0.1:${await listen(server, 0)}/gateline`;
  const made: Record<string, RecordedCall> = {};
  const send: CallContext['send'] = async (id, input) => (await call(caller, operationOf(id), input)).response;
  const context: CallContext = {
    orgId: caller.running.orgId,
    receiverUrl,
    of: (id) => v.parse(v.looseObject({}), made[id]?.response),
    send,
    async until(id, input, isReady) {
      await expect.poll(async () => isReady(await send(id, input)), { timeout: 300_000 }).toBe(true);
    },
  };
  try {
    for (const operation of inOrder()) {
      const input = (await calls[operation.id]?.(context)) ?? {};
      made[operation.id] = await call(caller, operation, input);
    }
  } finally {
    // Also after a failure: the endpoint would fail when its receiver is gone, and become the example of a failing one.
    const endpoint = made['create-webhook-endpoint']?.response;
    const webhook_endpoint_id = String(endpoint && fieldsOf(endpoint).webhook_endpoint_id);
    if (endpoint) await send('delete-webhook-endpoint', { params: { webhook_endpoint_id } });
    await closeServer(server);
  }
  return made;
}

/** The operations in the order of the entries; last those that need none. */
const inOrder = (): readonly Operation[] => {
  const position = ({ id }: Operation) => {
    const index = Object.keys(calls).indexOf(id);
    return index === -1 ? Object.keys(calls).length : index;
  };
  return operations.toSorted((a, b) => position(a) - position(b));
};

function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
}

async function call(
  { running, key, ssoTokens }: Caller,
  operation: Operation,
  { fan, ...input }: CallInput,
): Promise<RecordedCall & { readonly response: Readonly<Record<string, unknown>> }> {
  const { id, paths, method, auth, output } = operation;
  const path = paths[0].replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  );
  const query = new URLSearchParams(input.query).toString();
  const sent = await fetchPatiently(`${running.url}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: {
      ...(auth.kind !== 'public' && { Authorization: `Bearer ${key}` }),
      ...((needsFanToken(operation) || fan !== undefined) && { 'X-SSO-Token': ssoTokens[fan ?? 'linked'] }),
      ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  });
  // Of a file only its media type is recorded.
  const isFile = sent.ok && output.mediaType !== 'application/json';
  const response = isFile ? { file: output.mediaType } : v.parse(v.looseObject({}), await sent.json());
  if (sent.status !== output.status) {
    throw new Error(
      `The recorded call of ${id} was answered with ${sent.status}. Give it an input in test/support/recording/calls.ts. ${JSON.stringify(response)}`,
    );
  }
  return { ...input, response: id === 'openapi' ? headOf(response) : response };
}

/** A busy machine may need longer for the start of a function than the function has. A read can be repeated. */
async function fetchPatiently(url: string, options: RequestInit, attempts = 5): Promise<Response> {
  const response = await fetch(url, options);
  const isFinal = response.status < 500 || options.method !== 'GET' || attempts <= 1;
  return isFinal ? response : fetchPatiently(url, options, attempts - 1);
}

/** The example of the document is its head: the whole would contain itself. */
function headOf(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { openapi, info, servers } = v.parse(DocumentHead, document);
  return { openapi, info, servers };
}
const DocumentHead = v.object({
  openapi: v.string(),
  info: v.object({ title: v.string(), version: v.string() }),
  servers: v.array(v.object({ url: v.string() })),
});
