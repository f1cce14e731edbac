import { everyStoredResponse, replaceStoredResponse } from '../../shared/data/admin/stored-responses.ts';
import type { Person, PersonSection } from './section.ts';
import { personEraser } from './without-person.ts';

/**
 * The responses that are stored for repeated requests (Idempotency-Key) and contain data of the person. A repeated request gets
 * the erased response.
 */
export const storedResponsesSection: PersonSection = {
  name: 'stored_responses',
  async collect(person) {
    const found: unknown[] = [];
    for await (const { response, erased } of responsesOf(person)) {
      if (erased !== response) found.push(JSON.parse(response));
    }
    return found;
  },
  async erase(person) {
    let replaced = 0;
    for await (const { key, response, erased } of responsesOf(person)) {
      if (erased === response) continue;
      if (await replaceStoredResponse(person.table, key, { from: response, to: erased })) replaced += 1;
    }
    return replaced;
  },
};

/**
 * Reads all stored responses of the organisation, because they are not indexed by person: an index would cost a write for
 * every request. They are of the last day, and of the few days that DynamoDB takes to delete them.
 */
async function* responsesOf(person: Person) {
  const erase = await personEraser(person);
  for await (const stored of everyStoredResponse(person.table, person.orgId, person.clock)) {
    yield { ...stored, erased: JSON.stringify(await erase(JSON.parse(stored.response))) };
  }
}
