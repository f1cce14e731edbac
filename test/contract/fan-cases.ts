import { describe, expect, it } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Answer } from '../support/service.ts';
import { paramsOf } from './examples.ts';
import { fanToken, strangerToken } from './world.ts';

interface Tools {
  readonly theirs: string;
  /** Lets a minute begin in which nothing was counted yet. */
  nextMinute(): void;
  /** A request that succeeds, but for what is changed in it. */
  send(
    operation: Operation,
    change?: { params?: Record<string, string>; headers?: Record<string, string> },
  ): Promise<Answer>;
  expectProblem(answer: Answer, status: number, code: string): void;
}

/** What every operation promises that serves one fan. */
export function describeFans(forFans: readonly Operation[], { theirs, nextMinute, send, expectProblem }: Tools): void {
  describe.each(forFans)('$id serves', (operation) => {
    it.each([
      ['nobody without a token', '', 'sso_token_missing'],
      ['nobody with a broken token', `${fanToken.slice(0, -9)}`, 'sso_token_invalid'],
      ['nobody with an API key as token', 'gl_live_x', 'sso_token_invalid'],
    ])('%s, and counts nothing', async (_case, token, code) => {
      nextMinute();
      const refused = await send(operation, { headers: { 'X-SSO-Token': token } });
      expectProblem(refused, 401, code);
      expect(refused.headers.get('X-RateLimit-Remaining')).toBe('300');
    });

    it('nobody who is not linked yet', async () => {
      nextMinute();
      const refused = await send(operation, { headers: { 'X-SSO-Token': strangerToken } });
      expectProblem(refused, 403, 'sso_user_not_linked');
      expect(refused.headers.get('X-RateLimit-Remaining')).toBe('299');
    });

    const names = Object.keys(operation.params.entries);
    it.runIf(names.length > 0)("nobody else's things: whatever is not the fan's is an empty list", async () => {
      const [theirId = ''] = Object.values(paramsOf(operation, theirs));
      const ids = ['0', '-1', 'ünï', '%', '%zz', "' OR 1=1", '#', 'a'.repeat(300), '__proto__', '9007199254740991'];
      for (const id of [theirId, ...ids]) {
        const params = Object.fromEntries(names.map((name) => [name, id]));
        expect(await send(operation, { params })).toMatchObject({ status: 200, body: { data: [] } });
      }
    });
  });
}
