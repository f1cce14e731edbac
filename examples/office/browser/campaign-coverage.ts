import { secondOf } from '../../site/browser/state/format.ts';
import type { Field, Values } from './fields.ts';

type Choices = NonNullable<Field['choices']>;

/** What the codes of a campaign can be for: the next events and their prices. */
export interface Sold {
  readonly events: Choices;
  readonly prices: Choices;
}

/** What is chosen and not offered any more, such as a past event, stays chosen and can be taken off. */
export function withChosen(choices: Choices, chosen: unknown, what: string): Choices {
  const ids = Array.isArray(chosen) ? chosen.map(Number) : [];
  const others = ids.filter((id) => !choices.some(({ value }) => value === id));
  return [...choices, ...others.map((id) => ({ value: id, title: `${what} ${id}` }))];
}

const effects: Readonly<Record<string, (value: string) => string>> = {
  percent: (value) => `Each ticket costs ${value} % less, without its fees`,
  amount: (value) => `Each ticket costs ${value} less, without its fees`,
  fixed_price: (value) => `Each ticket costs ${value}, and its fees`,
  none: () => 'The codes change no price',
};

/** What the codes of a campaign with these values are for, in words: staff read it before they save. */
export function coverageOf({ events, prices }: Sold, all: Values, timezone: string): readonly string[] {
  const titles = (choices: Choices, ids: unknown): string =>
    withChosen(choices, ids, 'No.')
      .filter(({ value }) => Array.isArray(ids) && ids.map(Number).includes(Number(value)))
      .map(({ title }) => title)
      .join('; ');
  const [ofEvents, ofPrices] = [titles(events, all.event_ids), titles(prices, all.price_ids)];
  const hidden = titles(prices, all.reveals_price_ids);
  const time = (unix: unknown, word: string): string =>
    typeof unix === 'number' ? ` ${word} ${secondOf(unix, timezone)}` : '';
  const limited = all.uses_per_code === 1 ? 'once' : `in ${all.uses_per_code} baskets`;
  const uses = all.uses_per_code === null ? 'as often as people like' : limited;
  return [
    `${effects[String(all.kind)]?.(String(all.value ?? '…'))}.`,
    ofPrices || ofEvents
      ? `They are for ${ofPrices || ofEvents}, and nothing else.`
      : 'They are for every ticket of every event, those to come too. They are not for memberships.',
    `Each code can be used ${uses}${time(all.from_unix, 'from')}${time(all.until_unix, 'until')}.`,
    ...(hidden === '' ? [] : [`Nobody sees these prices without a code: ${hidden}.`]),
  ];
}
