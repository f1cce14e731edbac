import { operations } from '../../shared/operations/registry.ts';
import type { TestCheckoutDeps } from './baskets.ts';
import { callHandler } from './call-handler.ts';
import { handleOf } from './operation-handles.ts';

/** Each operation that reads with an API key, for each object of the person. */
export async function readEverything(
  { table, orgId, nowUnix }: Pick<TestCheckoutDeps, 'table' | 'orgId' | 'nowUnix'>,
  ids: Readonly<Record<string, readonly string[]>>,
): Promise<Map<string, unknown[]>> {
  /** The takings are those of a shift. */
  const shift = { unix_start: nowUnix - 3600, unix_end: nowUnix };
  const answers = new Map<string, unknown[]>();
  for (const operation of operations) {
    const { id, method, auth, input } = operation;
    // Documents show what retrieve-ticket and retrieve-member do.
    if (method !== 'GET' || auth.kind !== 'metered' || auth.scope === 'sso' || /-(pass|pdf)$/.test(id)) continue;
    // A receipt keeps its buyer for the years of the law (ADR 77).
    if (id === 'retrieve-document') continue;
    const [name] = Object.keys(input.params.entries);
    const params = name === undefined ? [{}] : (ids[name] ?? []).map((value) => ({ [name]: value }));
    if (params.length === 0) throw new Error(`Give ${id} a ${name} to read.`);
    const handle = handleOf(operation);
    // The feed of events ends a few seconds before now.
    const call = { table, orgId, nowMs: nowUnix * 1000 + 60_000 };
    const query = id === 'retrieve-takings' ? shift : {};
    answers.set(
      id,
      await Promise.all(params.map((each) => callHandler(operation, handle, { params: each, query }, call))),
    );
  }
  return answers;
}
