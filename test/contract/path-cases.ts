import { expect } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { paramsOf } from '../../tools/fixtures/contract/examples.ts';
import { probe } from '../support/probe-operation.ts';
import type { ServiceResponse } from '../support/service.ts';
import { itIf } from '../support/thorough.ts';
import { type ContractGetter, expectProblem, mine, refusals, theirs } from './contract.ts';

/** How every operation handles an id that is not an id of the organisation. */
export function describePaths(operation: Operation, contract: ContractGetter): void {
  const names = Object.keys(operation.input.params.entries);

  // The lines of every basket are counted from 1, so their ids belong to no organisation.
  const ids = names.filter((name) => name !== 'line_id');
  // With one id, the access matrix sends the same to every operation.
  const foreignIds = ids.length > 1 ? ids : refusals(operation, 'foreign id', ids);
  itIf(foreignIds.length > 0).each(foreignIds)(
    "responds to another organisation's %s as if it did not exist",
    async (name) => {
      const foreign = { ...paramsOf(operation, mine), [name]: paramsOf(operation, theirs)[name] ?? '' };
      const missing = { ...paramsOf(operation, mine), [name]: '9007199254740991' };
      const [theirAnswer, noAnswer] = [
        await contract().send(operation, { params: foreign }),
        await contract().send(operation, { params: missing }),
      ];
      expectProblem(theirAnswer, 404, 'resource_not_found');
      const withoutId = ({ body }: ServiceResponse) => JSON.stringify(body).replace(/"request_id":"[^"]+"/, '');
      expect(withoutId(theirAnswer)).toBe(withoutId(noAnswer));
    },
  );

  const anywhere = ['a'.repeat(300), '%zz', 'ünï', '-1', '\u0000', '0', '%', "' OR 1=1", '#', '__proto__'];
  // A client removes the dots, and the path may then be that of another operation.
  const dots = operation.id === probe.id ? ['..'] : [];
  const odd = [...refusals(operation, 'odd id', anywhere), ...dots];
  itIf(odd.length > 0).each(odd)('finds nothing for an id of any shape: %j', async (id) => {
    const params = Object.fromEntries(names.map((name) => [name, id]));
    expectProblem(
      await contract().send(operation, { params }),
      404,
      id === '..' ? 'route_not_found' : 'resource_not_found',
    );
  });
}
