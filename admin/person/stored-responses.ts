import { basketIdsOf } from './baskets.ts';
import { eraseResponses, responsesWithout } from './responses.ts';
import type { PersonSection } from './section.ts';
import { personEraser } from './without-person.ts';

/**
 * The responses that are stored for repeated requests (Idempotency-Key) and contain data of the person. A repeated request gets
 * the erased response. Those that show a basket are erased with the basket.
 */
export const storedResponsesSection: PersonSection = {
  name: 'stored_responses',
  async collect(person) {
    const erase = await personEraser(person, { basketIds: await basketIdsOf(person) });
    const found: unknown[] = [];
    for await (const { response, erased } of responsesWithout(person, erase)) {
      if (erased !== response) found.push(JSON.parse(response));
    }
    return found;
  },
  erase: async (person, reached) =>
    eraseResponses(person, await personEraser(person, { erasedOrderIds: reached?.orderIds })),
};
