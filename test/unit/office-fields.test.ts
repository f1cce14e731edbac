import { describe, expect, it } from 'vitest';
import { emptyTexts, enteredIn, type Field, merge, textsOf } from '../../examples/office/browser/fields.ts';
import { fromLocal, toLocal } from '../../examples/office/browser/local-time.ts';
import {
  ownCancellationBody,
  ownCancellationFields,
  withOwnCancellation,
} from '../../examples/office/browser/own-cancellation.ts';

const zone = 'Australia/Melbourne';
const hour = 3_600_000;
const fields: readonly Field[] = [
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'start', label: 'Start', kind: 'iso' },
  { name: 'from', label: 'From', kind: 'unix' },
  { name: 'timezone', label: 'Time zone', kind: 'text' },
  { name: 'price', label: 'Price', kind: 'amount' },
  {
    name: 'pool',
    label: 'Pool',
    kind: 'choice',
    choices: [
      { value: null, title: 'None' },
      { value: 7, title: 'Terrace' },
    ],
  },
  { name: 'shown', label: 'Shown', kind: 'yes' },
];
const values = {
  title: 'Derby',
  // Seconds that no field shows.
  start: '2026-11-14T08:30:15Z',
  from: 1_790_000_000,
  timezone: zone,
  price: 32.5,
  pool: 7,
  shown: true,
};
const before = textsOf(fields, values, zone);

describe('the fields of an office form', () => {
  it('show times on the clocks of the event, and send nothing that was left alone', () => {
    expect(before).toMatchObject({ start: '2026-11-14T19:30', price: '32.5', pool: '7', shown: 'true' });
    expect(enteredIn(fields, before, before, zone)).toEqual({ body: {}, problems: {} });
  });

  it('understand a decimal comma, and ask about what could be two numbers', () => {
    const priceOf = (price: string) => enteredIn(fields, { ...before, price }, before, zone).body.price;
    for (const text of ['30,25', '30.25', ' 30,25 ']) expect(priceOf(text), text).toBe(30.25);
    for (const text of ['1.234,50', '1,234.50', '1 234,50', '1234,5']) expect(priceOf(text), text).toBe(1234.5);
    for (const text of ['1,234', '3,2,1', 'free']) expect(priceOf(text), text).toBeUndefined();
  });

  it('send what was changed as the API takes it', () => {
    const texts = {
      ...before,
      title: '',
      start: '2026-11-14T20:00',
      from: '2026-11-01T09:00',
      price: '40',
      pool: '',
      shown: '',
    };
    expect(enteredIn(fields, texts, before, zone).body).toEqual({
      title: null,
      start: '2026-11-14T09:00:00.000Z',
      from: Date.UTC(2026, 9, 31, 22) / 1000,
      price: 40,
      pool: null,
      shown: false,
    });
  });

  it('send a time again when the event moves to another time zone', () => {
    const { body } = enteredIn(fields, { ...before, timezone: 'Australia/Perth' }, before, zone);
    expect(body).toMatchObject({ timezone: 'Australia/Perth', start: '2026-11-14T11:30:00.000Z' });
  });

  it('of something new leave out what is empty, so that it gets its default', () => {
    const texts = { ...emptyTexts(fields), title: 'New', shown: '' };
    expect(enteredIn(fields, texts, emptyTexts(fields), zone).body).toEqual({ title: 'New', shown: false });
  });

  it('say what is no number, and which time the clocks skip', () => {
    const { problems } = enteredIn(fields, { ...before, price: 'ten', start: '2026-10-04T02:30' }, before, zone);
    expect(problems).toEqual({
      price: 'Write a number, such as 32.50 or 1250.',
      start: expect.stringContaining('does not exist'),
    });
  });

  it('take over what others have changed, and keep what was typed', () => {
    const now = textsOf(fields, { ...values, title: 'Cup derby', price: 35, pool: null }, zone);
    const typed = { ...before, price: '30', shown: '' };
    const { texts, meanwhile } = merge(fields, { texts: typed, before, now });
    expect(texts).toEqual({ ...before, title: 'Cup derby', price: '30', pool: '', shown: '' });
    expect(meanwhile).toEqual([
      { label: 'Title', before: 'Derby', now: 'Cup derby' },
      { label: 'Price', before: '32.5', now: '35' },
      { label: 'Pool', before: 'Terrace', now: 'None' },
    ]);
    // Saved again, only what was typed is sent.
    expect(enteredIn(fields, texts, now, zone).body).toEqual({ price: 30, shown: false });
  });
});

describe('the terms of own cancellation in the form of a price', () => {
  const none = { until_hours: '', keep_percent: '' };
  const some = { until_hours: '48', keep_percent: '10' };
  it.each([
    ['were left alone', some, some, {}],
    ['are new', none, { until_hours: '24', keep_percent: '12,5' }, { until_hours: 24, keep_percent: 12.5 }],
    ['return everything', none, { until_hours: '0', keep_percent: '' }, { until_hours: 0, keep_percent: 0 }],
    ['have another hour', some, { ...some, until_hours: '72' }, { until_hours: 72, keep_percent: 10 }],
    ['end with the empty hours', some, { ...some, until_hours: '' }, null],
    ['lack the hours', none, { ...none, keep_percent: '10' }, { until_hours: null, keep_percent: 10 }],
  ])('that %s are sent as the API takes them', (_which, shown, texts, terms) => {
    const entered = (before: typeof none | object) => enteredIn(ownCancellationFields, texts, { ...before }, zone).body;
    const expected = texts === shown ? {} : { self_cancel: terms };
    expect(ownCancellationBody(entered(shown), entered({}))).toEqual(expected);
  });

  it('are shown each in its field', () => {
    const price = { title: 'Adult', self_cancel: { until_hours: 48, keep_percent: 10 } };
    expect(textsOf(ownCancellationFields, withOwnCancellation(price), zone)).toEqual(some);
    expect(withOwnCancellation({ title: 'Adult', self_cancel: null })).toEqual({ title: 'Adult' });
  });
});

describe('local times', () => {
  it.each([
    [zone, Date.UTC(2026, 3, 4)],
    [zone, Date.UTC(2026, 9, 3)],
    ['America/New_York', Date.UTC(2026, 2, 8)],
    ['America/New_York', Date.UTC(2026, 10, 1)],
    ['Asia/Kathmandu', Date.UTC(2026, 0, 1)],
  ])('of %s survive both directions, on days when the clocks change too', (name, day) => {
    for (let ms = day; ms < day + 30 * hour; ms += hour / 2) {
      const back = fromLocal(toLocal(ms, name), name) ?? Number.NaN;
      // An hour that comes twice has two instants.
      expect([0, hour]).toContain(Math.abs(back - ms));
    }
  });

  it('that do not exist are undefined', () => {
    expect(fromLocal('2026-03-08T02:30', 'America/New_York')).toBeUndefined();
    expect(fromLocal('2026-03-08T03:00', 'America/New_York')).toBe(Date.UTC(2026, 2, 8, 7));
  });
});
