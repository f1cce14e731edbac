import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { entriesOf, itemOf, unwrap } from '../../shared/operations/schema-shape.ts';
import { bodyOf } from '../../tools/fixtures/contract/examples.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { type ContractGetter, mine } from './contract.ts';

type Path = readonly (string | number)[];
interface Reference {
  readonly path: Path;
  readonly schema: v.GenericSchema;
}

/** Of every operation, the ids in its body that name other objects: one that nobody has is a missing reference. */
export function describeReferences(operation: Operation, contract: ContractGetter): void {
  // The specification wants the other members fulfilled, so it reports unknown ones in its response.
  if (operation.id === 'fulfil-members') return;
  it.each(referencesIn(operation.input.body))('refuses an unknown id in $path', async ({ path, schema }) => {
    const unknown = 8_999_999_999_999_999;
    const value = v.is(schema, unknown) ? unknown : String(unknown);
    const example = { ...bodyOf(operation, mine), ...besides(operation, path) };
    const { status, body } = await contract().send(operation, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(withValue(example, path, value)),
    });
    const { code, param } = fieldsOf(fieldsOf(body).error ?? {});
    expect({ status, code, param }).toEqual({ status: 400, code: 'resource_missing', param: paramOf(path) });
  });
}

/** Fields that are named like references and are none: a state, numbers of other systems, a country, a tax id, and an organisation's own text. */
const notReferences = ['event_status_id', 'person_id', 'country_id', 'tax_id', 'org_customer_id', 'gate_id'];

function referencesIn(schema: v.GenericSchema, path: Path = []): Reference[] {
  const target = unwrap(schema);
  const item = itemOf(target);
  if (item !== undefined) return referencesIn(item, [...path, 0]);
  const entries = Object.entries(entriesOf(target) ?? {});
  if (entries.length > 0) return entries.flatMap(([name, entry]) => referencesIn(entry, [...path, name]));
  const name = String(path.findLast((step) => step !== 0));
  return /_ids?$/.test(name) && !notReferences.includes(name) ? [{ path, schema: target }] : [];
}

/** What a request needs besides, so that only the id is wrong. */
function besides(operation: Operation, path: Path): object {
  if (path[0] === 'seat_map_id') return { reserved_seating: true };
  return operation.id === 'add-basket-item' && path[0] === 'membership_type_id' ? { price_id: null } : {};
}

/** A list of ids is named as a whole. */
function paramOf(path: Path): string {
  const named = path.at(-1) === 0 ? path.slice(0, -1) : path;
  return named
    .map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`))
    .join('')
    .slice(1);
}

function withValue(body: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const base = typeof name === 'number' ? [...(Array.isArray(body) ? body : [])] : { ...Object(body) };
  return Object.assign(base, { [name]: withValue(Reflect.get(base, name), rest, value) });
}
