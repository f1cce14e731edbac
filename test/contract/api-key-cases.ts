import { expect } from 'vitest';
import { issueKey, revokeKey } from '../../shared/data/admin/api-keys/api-keys.ts';
import { scopes } from '../../shared/domain/auth/scopes.ts';
import { signToken } from '../../shared/http/auth/sign-token.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { makeKey, otherSigner } from '../../tools/fixtures/signing-key.ts';
import { type ContractGetter, expectProblem, mine, pipelineTest, theirs } from './contract.ts';
import { expectAnonymousLimits } from './expectations.ts';

/** API keys that every authenticated operation refuses. */
export function describeApiKeys(operation: Operation, contract: ContractGetter): void {
  pipelineTest(operation, 'refuses a request without an API key', async () => {
    const response = await contract().send(operation, { key: undefined });
    expectProblem(response, 401, 'api_key_missing');
    expectAnonymousLimits(response);
  });

  for (const Authorization of ['Bearer gl_live_x', 'Basic abc', 'Bearer', 'Bearer a b'])
    pipelineTest(operation, `refuses the header Authorization: ${Authorization}`, async () => {
      const response = await contract().send(operation, {
        key: undefined,
        headers: { Authorization, 'Content-Type': 'application/json' },
        body: undefined,
      });
      expectProblem(response, 401, 'api_key_malformed');
      expectAnonymousLimits(response);
    });

  pipelineTest(operation, 'refuses a well-formed API key that was never issued', async () => {
    const response = await contract().send(operation, { key: makeKey('live', mine, '1').text });
    expectProblem(response, 401, 'api_key_invalid');
    expectAnonymousLimits(response);
  });

  pipelineTest(operation, 'refuses a forged API key', async () => {
    const response = await contract().send(operation, { key: signToken('live', mine, '1', otherSigner).text });
    expectProblem(response, 401, 'api_key_invalid');
    expectAnonymousLimits(response);
  });

  pipelineTest(operation, 'refuses an API key of an organisation that does not exist', async () => {
    const { text: key } = makeKey('live', 'org_nobody', '1');
    expectProblem(await contract().send(operation, { key }), 401, 'api_key_invalid');
  });

  pipelineTest(operation, 'refuses an expired API key', async () => {
    const expired = await contract().service.newKey(theirs, { keyId: 'zzx', expiresUnix: 1 });
    expectProblem(await contract().send(operation, { key: expired }), 401, 'api_key_expired');
  });

  pipelineTest(operation, 'refuses a revoked API key at its next request', async () => {
    const issue = { orgId: theirs, label: null, mode: 'test', scopes, expiresUnix: null, nowMs: Date.now() } as const;
    const issued = await issueKey(contract().service.table, issue, makeKey);
    if (issued.outcome !== 'issued') throw new Error(issued.outcome);
    const request = { key: issued.text, orgId: theirs };
    expect((await contract().send(operation, request)).status).toBe(operation.output.status);
    await revokeKey(contract().service.table, { orgId: theirs, keyId: issued.key.keyId, nowMs: Date.now() });
    expectProblem(await contract().send(operation, request), 401, 'api_key_invalid');
  });

  pipelineTest(operation, 'refuses an API key that lacks the required scope, and names the scope', async () => {
    const { auth } = operation;
    const needed = auth.kind === 'public' ? undefined : auth.scope;
    const weak = await contract().service.newKey(mine, {
      keyId: 'zzw',
      scopes: scopes.filter((scope) => scope !== needed && scope !== auth.orScope),
    });
    const response = await contract().send(operation, { key: weak });
    expectProblem(response, 403, 'scope_missing');
    expect(response.body).toMatchObject({ error: { message: expect.stringContaining(String(needed)) } });
    expect(response.headers.get('X-RateLimit-Remaining')).not.toBe('0');
  });
}
