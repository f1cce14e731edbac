import { expect } from 'vitest';
import type { Service } from './service.ts';

/** Calls the API with a JSON body and returns what it answers. A refusal fails the test. */
export async function callService(
  service: Service,
  key: string,
  path: string,
  { method = 'POST', body = {} }: { readonly method?: string; readonly body?: object } = {},
): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await service.call(path, { method, key, headers, body: JSON.stringify(body) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
