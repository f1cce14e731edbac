import type { Field, Values } from './fields.ts';

/** On what terms buyers cancel by themselves: an object of the API, whose two fields stand on their own in a form. */
export const ownCancellationFields: readonly Field[] = [
  {
    name: 'until_hours',
    label: 'Buyers can cancel until',
    kind: 'count',
    isRare: true,
    hint: 'Hours before the start, such as 48; 0 until the start. Empty: they cannot. Tickets that are sold keep their terms.',
  },
  {
    name: 'keep_percent',
    label: 'Kept when buyers cancel, in percent',
    kind: 'amount',
    isRare: true,
    hint: 'Of what the ticket cost, with its fees. Empty or 0: everything goes back.',
  },
];

/** A price as the form shows it. */
export function withOwnCancellation({ self_cancel: terms, ...price }: Values): Values {
  return typeof terms === 'object' && terms !== null ? { ...price, ...terms } : price;
}

/** What the API takes: both terms together. Without hours it says what is missing, unless there are no terms at all. */
export function ownCancellationBody(changed: Values, all: Values): Values {
  const { until_hours: changedHours, keep_percent: changedPercent, ...others } = changed;
  if (changedHours === undefined && changedPercent === undefined) return others;
  const { until_hours = null, keep_percent = null } = all;
  const isNone = until_hours === null && (keep_percent === null || changedPercent === undefined);
  return { ...others, self_cancel: isNone ? null : { until_hours, keep_percent: keep_percent ?? 0 } };
}
