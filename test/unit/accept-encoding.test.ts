import { expect, it } from 'vitest';
import { acceptsGzip } from '../../shared/http/streamed-output.ts';

it.each(['gzip', 'br, gzip', 'GZIP ; Q=0.5', '*', 'br;q=1, *;q=0.1', '*;q=0, gzip'])(
  'gzip is sent for Accept-Encoding: %s',
  (header) => expect(acceptsGzip(header)).toBe(true),
);

it.each(['', 'br', 'identity', 'gzip;q=0', 'gzip;q=0.000', 'gzip;q=0, *', '*, gzip; q=0', '*;q=0', 'gzip;q=no'])(
  'gzip is not sent for Accept-Encoding: %j',
  (header) => expect(acceptsGzip(header)).toBe(false),
);

it('gzip is not sent without Accept-Encoding, nor for one that is too long to parse', () => {
  expect(acceptsGzip(undefined)).toBe(false);
  expect(acceptsGzip(`${'x,'.repeat(200)}gzip`)).toBe(false);
});
