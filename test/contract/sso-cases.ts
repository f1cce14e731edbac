import { expect } from 'vitest';
import { needsFanToken, type Operation } from '../../shared/operations/operation.ts';
import { fanToken, unlinkedToken } from '../../tools/fixtures/contract/contract-fixture.ts';
import { formHeader, paramsOf } from '../../tools/fixtures/contract/examples.ts';
import { itIf } from '../support/thorough.ts';
import { type ContractGetter, expectProblem, pipelineTest, theirs } from './contract.ts';

/** How every operation that accepts the token of a fan handles the SSO token. */
export function describeSsoTokens(operation: Operation, contract: ContractGetter): void {
  const { auth } = operation;
  const refuses = (token: string, code: string) => async () => {
    await contract().nextMinute();
    const refused = await contract().send(operation, { headers: { ...formHeader(operation), 'X-SSO-Token': token } });
    expectProblem(refused, 401, code);
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('300');
  };
  itIf(needsFanToken(operation))(
    'refuses a request without an SSO token and counts nothing',
    refuses('', 'sso_token_missing'),
  );
  pipelineTest(
    operation,
    'refuses a broken SSO token and counts nothing',
    refuses(fanToken.slice(0, -9), 'sso_token_invalid'),
  );
  pipelineTest(
    operation,
    'refuses an API key as SSO token and counts nothing',
    refuses('gl_live_x', 'sso_token_invalid'),
  );

  const needsLink = auth.ssoUser === 'linked' || auth.ssoUser === 'linked_on_pages';
  itIf(needsLink)('refuses the SSO token of a user who is not linked', async () => {
    await contract().nextMinute();
    const refused = await contract().send(operation, {
      headers: { ...formHeader(operation), 'X-SSO-Token': unlinkedToken },
    });
    expectProblem(refused, 403, 'sso_user_not_linked');
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('299');
  });

  const names = Object.keys(operation.input.params.entries);
  const isList = operation.method === 'GET';
  itIf(auth.ssoUser === 'linked' && isList && names.length > 0)(
    'returns an empty list for an order of another fan',
    async () => {
      const [theirId = ''] = Object.values(paramsOf(operation, theirs));
      const ids = ['0', '-1', 'ünï', '%', '%zz', "' OR 1=1", '#', 'a'.repeat(300), '__proto__', '9007199254740991'];
      for (const id of [theirId, ...ids]) {
        const params = Object.fromEntries(names.map((name) => [name, id]));
        expect(await contract().send(operation, { params })).toMatchObject({ status: 200, body: { data: [] } });
      }
    },
  );
}
