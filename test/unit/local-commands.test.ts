import { expect, it } from 'vitest';
import { parseDuration } from '../../local/commands/clock.ts';
import { readListenOptions } from '../../local/commands/listen.ts';

it('npm run clock refuses what is not a duration', () => {
  expect(parseDuration('+1d12h')).toBe(129_600);
  for (const text of ['15m', '-15m', '+15', '+1.5h', ''])
    expect(() => parseDuration(text)).toThrow('is not a duration');
});

it('npm run listen refuses an address that is not a URL', () => {
  expect(() => readListenOptions(['--forward-to', 'localhost:4000'])).toThrow('--forward-to must be a URL');
  expect(readListenOptions([])).toEqual({ forwardTo: undefined, types: ['*'] });
});
