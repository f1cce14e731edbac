import type * as v from 'valibot';
import type { Operation } from '../../shared/operations/operation.ts';
import { alternativesOf, entriesOf, itemOf, unwrap } from '../../shared/operations/schema-shape.ts';
import { personalFields } from '../person/personal-fields.ts';

/** What admits or pays for whoever holds it. An assistant has no use for it. */
const bearerFields = [
  ...['accept_token', 'barcode', 'barcode_sha256', 'basket_token', 'client_secret', 'confirm_token', 'entry_token'],
  ...['link', 'save_url'],
];

/** The number on a member's card says who somebody is. Erasure keeps it: it is the organisation's own. */
const numberFields = ['member_number'];

const isMasked = (name: string): boolean =>
  Object.hasOwn(personalFields, name) || bearerFields.includes(name) || numberFields.includes(name);

export const maskedValue = 'masked';

/** A copy of an answer of the API without what says who somebody is. null stays: it says that nothing is known. */
export function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isMasked(name) && inner !== null ? maskedValue : withoutPeople(inner),
    ]),
  );
}

/** Metadata of the catalogue is about nobody, and that of a person stands beside the person's own fields. */
export function showsPeople({ output }: Operation): boolean {
  return fieldNames(output.schema).some((name) => name !== 'metadata' && isMasked(name));
}

function fieldNames(schema: v.GenericSchema): string[] {
  const target = unwrap(schema);
  const entries = entriesOf(target) ?? {};
  const item = itemOf(target);
  const inner = [...Object.values(entries), ...(item === undefined ? [] : [item]), ...alternativesOf(target)];
  return [...Object.keys(entries), ...inner.flatMap(fieldNames)];
}
