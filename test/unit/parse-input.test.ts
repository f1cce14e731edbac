import { expect, it } from 'vitest';
import { parseInput } from '../../shared/http/middleware/parse-input.ts';
import { getRequestContext } from '../../shared/http/request-context.ts';
import { listCustomers } from '../../shared/operations/customers/list-customers.ts';
import { createMember } from '../../shared/operations/members/create-member.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { apiEvent } from '../../tools/fixtures/api-event.ts';

async function inputOf(operation: Operation, changes: Parameters<typeof apiEvent>[0]) {
  const event = apiEvent({ queryStringParameters: null, multiValueQueryStringParameters: null, ...changes });
  await parseInput(operation).before?.({ event } as never);
  return getRequestContext(event).input;
}

const form = (body: string) => ({ headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body });

it('parse-input accepts any character in a search, such as a tab copied from a spreadsheet', async () => {
  const input = await inputOf(listCustomers, { queryStringParameters: { search: 'Ada\tLovelace\n' } });
  expect(input).toMatchObject({ query: { search: 'Ada\tLovelace\n' } });
});

it.each(['Ad%00a', 'Ad%0Da', 'Ren%E9e'])(
  'parse-input refuses control characters in a stored text: %s',
  async (name) => {
    const sent = inputOf(createMember, form(`user_id=7&first_name=${name}&last_name=Lovelace`));
    await expect(sent).rejects.toMatchObject({ details: [{ code: 'parameter_invalid', param: 'first_name' }] });
  },
);
