import { expect, it } from 'vitest';
import { parseInput } from '../../shared/http/middleware/parse-input.ts';
import { getRequestContext } from '../../shared/http/request-context.ts';
import { updateBasketLine } from '../../shared/operations/baskets/update-basket-line.ts';
import { createEvent } from '../../shared/operations/catalogue/create-event.ts';
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

it.each([-4, 1e30, true, {}])('parse-input says what an id is when it refuses one: %j', async (id) => {
  const body = JSON.stringify({ quantity: 1, holders: [{ membership_member_id: id }] });
  const sent = inputOf(updateBasketLine, {
    headers: { 'Content-Type': 'application/json' },
    pathParameters: { basket_id: '1', line_id: '1' },
    body,
  });
  const param = 'holders[0].membership_member_id';
  const message = `The parameter ${param} must be an id, as a number or as text.`;
  await expect(sent).rejects.toMatchObject({ details: [{ code: 'parameter_invalid', param, message }] });
});

it('parse-input closes a gap in the numbers of a list of a form; an empty field leaves an item out', async () => {
  const holdersOf = async (body: string) => {
    const pathParameters = { basket_id: '1', line_id: '1' };
    return (await inputOf(updateBasketLine, { ...form(body), pathParameters }))?.body;
  };
  const bo = { first_name: 'Bo' };
  expect(await holdersOf('holders[1][first_name]=Bo')).toMatchObject({ holders: [bo] });
  expect(await holdersOf('holders[0][first_name]=&holders[1][first_name]=Bo')).toMatchObject({
    holders: [{ first_name: null }, bo],
  });
});

it('parse-input lists each wrong field once, also an empty text that breaks the rules of its length and of its form', async () => {
  const sent = inputOf(createEvent, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: '', code: '', url_string: '', utc_event_start_date: 'soon', currency: 'Dollar' }),
  });
  const details = ['code', 'title', 'utc_event_start_date', 'currency', 'url_string'].map((param) => ({ param }));
  await expect(sent).rejects.toMatchObject({ details });
});
