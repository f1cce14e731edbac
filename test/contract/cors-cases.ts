import { expect, it } from 'vitest';
import { preflightHeaders } from '../../shared/http/cors.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { makeKey } from '../support/signing-key.ts';
import { type ContractGetter, mine } from './contract.ts';
import { paramsOf, pathOf } from './examples.ts';
import { expectReadable } from './expectations.ts';

/** What a page in a browser may send to every operation, and which of its responses the page may read. */
export function describeCors(operation: Operation, contract: ContractGetter): void {
  it.each(operation.paths)('answers a preflight request at %s', async (path) => {
    const { status, headers, body } = await contract().service.call(pathOf(path, paramsOf(operation, mine)), {
      method: 'OPTIONS',
      headers: { Origin: 'https://shop.example.com', 'Access-Control-Request-Method': operation.method },
    });
    expect([status, body]).toEqual([204, undefined]);
    expect(Object.fromEntries(headers)).toMatchObject(lowerCased(preflightHeaders));
  });

  if (operation.auth.kind === 'public') {
    it('lets every page read its response', async () => {
      expectReadable(await contract().send(operation), '*');
    });
    return;
  }

  it('lets every page read why a request without a valid key is refused', async () => {
    expectReadable(await contract().send(operation, { key: undefined }), '*');
    expectReadable(await contract().send(operation, { key: makeKey('live', mine, '1').text }), '*');
  });

  it('lets no page read a response to a secret key', async () => {
    expectReadable(await contract().send(operation), null);
    expectReadable(await contract().send(operation, { query: { no_such_parameter: '1' } }), null);
  });
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
