import type { List } from '../../site/browser/resources.ts';
import { nowMs } from '../../site/browser/state/config.ts';
import { everyItem, officeCall } from './api.ts';
import { type Sold, withChosen } from './campaign-coverage.ts';
import type { Field, Values } from './fields.ts';
import type { OfficeEvent, OfficePrice } from './resources.ts';

/** More make a page that nobody reads. The API takes any. */
const mostEvents = 12;

export async function readSold(): Promise<Sold> {
  const isAhead = ({ utc_event_start_date }: OfficeEvent) => Date.parse(utc_event_start_date) > nowMs();
  // The service lists the latest start first.
  const events = (await everyItem<OfficeEvent>('/v1/events')).filter(isAhead).reverse().slice(0, mostEvents);
  const prices = events.map(async ({ event_id, title }) => {
    const { data } = await officeCall<List<OfficePrice>>('GET', `/v1/events/${event_id}/prices`);
    return data.map(({ price_id, price_category_title, title: price }) => ({
      value: price_id,
      title: `${title}: ${price_category_title}, ${price}`,
    }));
  });
  return {
    events: events.map(({ event_id, title }) => ({ value: Number(event_id), title })),
    prices: (await Promise.all(prices)).flat(),
  };
}

export function campaignFields({ events, prices }: Sold, values: Values): readonly Field[] {
  return [
    { name: 'title', label: 'Title', kind: 'text', required: true, hint: 'For staff, such as Sponsors 2027.' },
    {
      name: 'kind',
      label: 'What a code does',
      kind: 'choice',
      choices: [
        { value: 'percent', title: 'Reduces each ticket by a percentage' },
        { value: 'amount', title: 'Reduces each ticket by an amount' },
        { value: 'fixed_price', title: 'Each ticket costs an amount' },
        { value: 'none', title: 'Changes no price: it opens a phase, or shows hidden prices' },
      ],
    },
    { name: 'value', label: 'Percentage or amount', kind: 'amount', hint: 'Such as 20. Empty if no price changes.' },
    { name: 'uses_per_code', label: 'Uses of each code', kind: 'count', hint: 'Empty: without a limit.' },
    { name: 'from_unix', label: 'Valid from', kind: 'unix' },
    { name: 'until_unix', label: 'Valid until', kind: 'unix' },
    {
      name: 'event_ids',
      label: 'Only for these events',
      kind: 'several',
      choices: withChosen(events, values.event_ids, 'Event'),
      hint: 'None: for all events. Choose events or prices, not both.',
    },
    {
      name: 'price_ids',
      label: 'Only for these prices',
      kind: 'several',
      isRare: true,
      choices: withChosen(prices, values.price_ids, 'Price'),
    },
    {
      name: 'reveals_price_ids',
      label: 'Hide these prices from everyone without a code',
      kind: 'several',
      isRare: true,
      choices: withChosen(prices, values.reveals_price_ids, 'Price'),
    },
  ];
}
