import { expect, it } from 'vitest';
import { getBaseUrl } from '../../shared/http/headers.ts';
import { apiEvent } from '../../tools/fixtures/api-event.ts';

it.each([
  ['/v1/customers', '/v1/customers', ''],
  ['/v1/customers', '/v1/customers/', ''],
  ['/v1/customers', '/prod/v1/customers', '/prod'],
  ['/v1/customers', '/prod/v1/customers//', '/prod'],
  ['/v1/events/{event_id}/orders', '/tickets/v1/events/7/orders/', '/tickets'],
])('the base URL of %s, called as %s, ends with %j', (resource, path, before) => {
  const { requestContext, ...event } = apiEvent({ headers: { 'X-Forwarded-Proto': 'https' } });
  const called = { ...event, resource, requestContext: { ...requestContext, domainName: 'api.example.com', path } };
  expect(getBaseUrl(called)).toBe(`https://api.example.com${before}`);
});
