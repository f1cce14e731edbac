import type { Random } from '../../local/cloud/dynamodb/physics/random.ts';
import { addressOf } from './on-sale-event.ts';

/** Four in ten buyers are behind an address of a mobile network, some 2,500 behind each: eight addresses for 50,000 buyers. */
const gateways = { share: 0.4, buyersEach: 2_500 };

export function addressOfBuyer(random: Random, index: number, buyers: number): string {
  if (random() >= gateways.share) return addressOf(index);
  const addresses = Math.max(1, Math.round((gateways.share * buyers) / gateways.buyersEach));
  return `100.64.0.${Math.floor(random() * addresses)}`;
}

/** Six in ten come in the first minutes, the others over the whole time. */
export function arrivalMs(random: Random, minutes: number): number {
  const wholeMs = minutes * 60_000;
  const meanMs = random() < 0.6 ? wholeMs / 13 : wholeMs / 2.5;
  for (;;) {
    const ms = -Math.log(1 - random()) * meanMs;
    if (ms < wholeMs) return ms;
  }
}

/** A customer as the fields of a form. */
export const customerFields = (customer: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(customer).map(([name, value]) => [`customer[${name}]`, value]));
