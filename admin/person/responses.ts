import { everyStoredResponse, replaceStoredResponse } from '../../shared/data/admin/stored-responses.ts';
import type { Person } from './section.ts';

/** Copies a resource of the API without a person. */
type Eraser = (value: unknown) => Promise<unknown>;

/**
 * Reads all stored responses of the organisation, because they are not indexed by person: an index would cost a write for
 * every request. They are of the last day, and of the few days that DynamoDB takes to delete them.
 */
export async function* responsesWithout(person: Person, erase: Eraser) {
  for await (const stored of everyStoredResponse(person.table, person.orgId, person.clock)) {
    yield { ...stored, erased: JSON.stringify(await erase(JSON.parse(stored.response))) };
  }
}

/** Replaces the responses that show the person. Returns how many there were. */
export async function eraseResponses(person: Person, erase: Eraser): Promise<number> {
  let replaced = 0;
  for await (const { key, response, erased } of responsesWithout(person, erase)) {
    if (erased === response) continue;
    if (await replaceStoredResponse(person.table, key, { from: response, to: erased })) replaced += 1;
  }
  return replaced;
}
