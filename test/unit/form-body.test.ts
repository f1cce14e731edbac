import { describe, expect, it } from 'vitest';
import { parseFormBody } from '../../shared/http/input/form-body.ts';

describe('form body', () => {
  it.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['customer[email]=a%40b.c&customer[first_name]=Zo%C3%AB+X', { customer: { email: 'a@b.c', first_name: 'Zoë X' } }],
    [
      'members[0][membership_member_id]=7&members[0][fulfillment_tracking_code]=AB1&members[1][membership_member_id]=8',
      { members: [{ membership_member_id: '7', fulfillment_tracking_code: 'AB1' }, { membership_member_id: '8' }] },
    ],
    ['members%5B0%5D%5Bid%5D=7', { members: [{ id: '7' }] }],
    ['types[]=a&types[]=b', { types: ['a', 'b'] }],
    ['types=a&types=b', { types: ['a', 'b'] }],
    ['code=', { code: '' }],
    ['code', { code: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=%zz', { a: '%zz' }],
    ['constructor=x&toString=y', { constructor: 'x', toString: 'y' }],
    ['', {}],
    ['&&a=1&', { a: '1' }],
  ])('a form body %s is nested', async (text, expected) => {
    expect(JSON.parse(JSON.stringify(await parseFormBody(text)))).toEqual(expected);
  });

  const pairs = (count: number) =>
    Array.from({ length: count }, (_, index) => `members[${index >> 1}][${index & 1 ? 'code' : 'id'}]=${index}`);

  it('a form body of exactly 1,000 pairs keeps all 500 members', async () => {
    const parsed = await parseFormBody(pairs(1000).join('&'));
    expect(parsed).toMatchObject({ members: { length: 500, 499: { id: '998', code: '999' } } });
  });

  it('a form body of more than 1,000 pairs is refused, not truncated', async () => {
    await expect(parseFormBody(pairs(1002).join('&'))).rejects.toMatchObject({ code: 'body_invalid' });
  });

  it('a form body with too many list entries is parsed completely, so that validation can name the list', async () => {
    const one = Array.from({ length: 501 }, (_, index) => `members[${index}][id]=${index}`);
    expect(await parseFormBody(one.join('&'))).toMatchObject({ members: { length: 501 } });
    await expect(parseFormBody('members[99999999][id]=1')).rejects.toMatchObject({ code: 'body_invalid' });
  });

  it('a form body that is nested too deep is refused', async () => {
    await expect(parseFormBody('a[b][c][d][e][f]=1')).rejects.toMatchObject({ code: 'body_invalid' });
  });

  it('a form body is refused with the name of the forbidden parameter', async () => {
    await expect(parseFormBody('a=1&__proto__[x]=1')).rejects.toMatchObject({ details: [{ param: '__proto__' }] });
  });

  it.each(['__proto__[x]=1', '__proto__=1', 'a[__proto__][x]=1', '%5F_proto__=1', '%5F%5Fproto%5F%5F[x]=%ZZ', '=1'])(
    'a form body %s is refused and pollutes nothing',
    async (text) => {
      await expect(parseFormBody(text)).rejects.toMatchObject({ code: 'parameter_unknown' });
      expect(Reflect.get({}, 'x')).toBeUndefined();
    },
  );
});
