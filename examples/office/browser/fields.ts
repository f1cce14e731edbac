import { fromLocal, isTimeZone, toLocal } from './local-time.ts';

/** A field of a form, under the name that the API gives it. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** `iso` and `unix` are the two ways in which the API writes a time. */
  readonly kind: 'text' | 'amount' | 'count' | 'iso' | 'unix' | 'choice' | 'several' | 'yes';
  readonly choices?: readonly { readonly value: string | number | null; readonly title: string }[];
  readonly hint?: string;
  readonly required?: boolean;
  /** Rarely changed: it stands below the others, and is folded away. */
  readonly isRare?: boolean;
}

/** Only when something is created: it identifies the object for imports and is never changed. */
export const code: Field = {
  name: 'code',
  label: 'Code',
  kind: 'text',
  isRare: true,
  hint: 'Your own short name, by which imports find it. It stays for ever. Empty: one is made up.',
};

export type Values = Readonly<Record<string, unknown>>;
/** What stands in the fields. */
export type Texts = Readonly<Record<string, string>>;

export function textsOf(fields: readonly Field[], values: Values, timeZone: string): Texts {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, values[field.name], timeZone)]));
}

function textOf({ kind }: Field, value: unknown, timeZone: string): string {
  if (value === null || value === undefined || value === false) return '';
  if (kind === 'iso') return toLocal(Date.parse(String(value)), timeZone);
  if (kind === 'unix') return toLocal(Number(value) * 1000, timeZone);
  return String(value);
}

/** The time zone that a form is about: its own field, or that of the event. */
export function zoneOf({ timezone = '' }: Texts, eventZone: string): string {
  return isTimeZone(timezone) ? timezone : eventZone;
}

export interface Entered {
  /** The fields that differ from the values before, as the API takes them. */
  readonly body: Values;
  /** What a page can know to be wrong. The API judges everything else. */
  readonly problems: Texts;
}

/** Nothing, as the texts before something is created: what is left empty is not sent, and gets the API's own default. */
export function emptyTexts(fields: readonly Field[]): Texts {
  return Object.fromEntries(fields.filter(({ kind }) => kind !== 'yes').map(({ name }) => [name, '']));
}

/** What was entered. A field that was left alone is not sent, so nobody's change to it is undone. */
export function enteredIn(fields: readonly Field[], texts: Texts, before: Texts, eventZone: string): Entered {
  const zone = zoneOf(texts, eventZone);
  const isMoved = zone !== zoneOf(before, eventZone);
  const changed = fields.filter(
    ({ name, kind }) => texts[name] !== before[name] || (isMoved && isTime(kind) && texts[name] !== ''),
  );
  const values = changed.map((field) => [field.name, valueFrom(field, texts[field.name] ?? '', zone)] as const);
  return {
    body: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    problems: Object.fromEntries(
      changed.flatMap(({ name, kind }, index) =>
        values[index]?.[1] === undefined
          ? [[name, isTime(kind) ? skippedTime(zone) : 'Write a number, such as 32.50 or 1250.']]
          : [],
      ),
    ),
  };
}

const isTime = (kind: Field['kind']): boolean => kind === 'iso' || kind === 'unix';

const skippedTime = (zone: string): string =>
  `This time does not exist: the clocks of ${zone} are set forward. Choose another one.`;

/** A number as people write it: 32.50, 32,50, 1,234.50 or 1.234,50. Undefined for what could be two numbers, such as 1,234. */
export function numberIn(text: string): number | undefined {
  const written = text.replaceAll(/[\s'’]/g, '');
  if (/^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(written)) return Number(written.replaceAll('.', '').replace(',', '.'));
  if (/^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(written)) return Number(written.replaceAll(',', ''));
  return Number.isFinite(Number(written)) ? Number(written) : undefined;
}

/** The value for the API; undefined if the text stands for none. */
function valueFrom({ kind, choices = [] }: Field, text: string, timeZone: string): unknown {
  if (kind === 'yes') return text !== '';
  if (kind === 'several') return text === '' ? null : text.split(',').map(Number);
  if (kind === 'choice') return choices.find(({ value }) => String(value ?? '') === text)?.value;
  if (text.trim() === '') return null;
  if (kind === 'text') return text;
  if (!isTime(kind)) return numberIn(text);
  const ms = fromLocal(text, timeZone);
  if (ms === undefined) return undefined;
  return kind === 'unix' ? ms / 1000 : new Date(ms).toISOString();
}

/** A field that somebody else has changed since the form was opened. */
export interface Meanwhile {
  readonly label: string;
  readonly before: string;
  readonly now: string;
}

/** Takes over what others have changed, except where something else was entered: that stays as it was typed. */
export function merge(
  fields: readonly Field[],
  { texts, before, now }: Readonly<Record<'texts' | 'before' | 'now', Texts>>,
) {
  const others = fields.filter(({ name }) => now[name] !== before[name]);
  return {
    texts: Object.fromEntries(
      fields.map(({ name }) => [name, (texts[name] === before[name] ? now[name] : texts[name]) ?? '']),
    ),
    meanwhile: others.map(
      (field): Meanwhile => ({
        label: field.label,
        before: shown(field, before),
        now: shown(field, now),
      }),
    ),
  };
}

function shown({ name, kind, choices }: Field, texts: Texts): string {
  const text = texts[name] ?? '';
  if (kind === 'yes') return text === '' ? 'no' : 'yes';
  const isChosen = (value: string | number | null) =>
    kind === 'several' ? text.split(',').includes(String(value)) : String(value ?? '') === text;
  const chosen = choices?.filter(({ value }) => isChosen(value)).map(({ title }) => title) ?? [];
  if (isTime(kind)) return text.replace('T', ' ') || 'nothing';
  return (chosen.length > 0 ? chosen.join(', ') : text) || 'nothing';
}
