import { expect, it } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { expectProblem, type TheContract, theirs } from './contract.ts';
import { fanToken, strangerToken } from './contract-fixture.ts';
import { paramsOf } from './examples.ts';

/** What every operation promises that serves one fan. */
export function describeFans(operation: Operation, contract: TheContract): void {
  it.each([
    ['nobody without a token', '', 'sso_token_missing'],
    ['nobody with a broken token', `${fanToken.slice(0, -9)}`, 'sso_token_invalid'],
    ['nobody with an API key as token', 'gl_live_x', 'sso_token_invalid'],
  ])('%s, and counts nothing', async (_case, token, code) => {
    contract().nextMinute();
    const refused = await contract().send(operation, { headers: { 'X-SSO-Token': token } });
    expectProblem(refused, 401, code);
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('300');
  });

  it('nobody who is not linked yet', async () => {
    contract().nextMinute();
    const refused = await contract().send(operation, { headers: { 'X-SSO-Token': strangerToken } });
    expectProblem(refused, 403, 'sso_user_not_linked');
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('299');
  });

  const names = Object.keys(operation.input.params.entries);
  it.runIf(names.length > 0)("nobody else's things: whatever is not the fan's is an empty list", async () => {
    const [theirId = ''] = Object.values(paramsOf(operation, theirs));
    const ids = ['0', '-1', 'ünï', '%', '%zz', "' OR 1=1", '#', 'a'.repeat(300), '__proto__', '9007199254740991'];
    for (const id of [theirId, ...ids]) {
      const params = Object.fromEntries(names.map((name) => [name, id]));
      expect(await contract().send(operation, { params })).toMatchObject({ status: 200, body: { data: [] } });
    }
  });
}
