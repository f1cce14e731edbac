import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { idOf, idsPerSecond } from '../../shared/domain/ids.ts';
import { fold } from '../../shared/domain/search/text.ts';
import { familyNames, givenNames, otherScripts, streets, type Town } from './names.ts';
import type { DemoRandom } from './random.ts';

export interface DemoPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly emailAddress: string;
  readonly mobileNumber: string | null;
  readonly address: string;
  readonly town: Town;
}

/** Generates people, with unique ids and unique mail addresses. */
export class DemoPeople {
  readonly #random: DemoRandom;
  readonly #towns: readonly [Town, ...Town[]];
  readonly #addresses = new Set<string>();
  readonly #ids = new Set<number>();

  constructor(random: DemoRandom, towns: readonly [Town, ...Town[]]) {
    this.#random = random;
    this.#towns = towns;
  }

  person(): DemoPerson {
    const random = this.#random;
    const script = random.chance(0.02) ? random.pick(otherScripts) : undefined;
    const firstName = script?.firstName ?? random.pick(givenNames);
    const lastName = script?.lastName ?? random.pick(familyNames);
    return {
      firstName,
      lastName,
      emailAddress: this.#newAddress(script?.mail ?? `${asciiOf(firstName)}.${asciiOf(lastName)}`),
      mobileNumber: random.chance(0.25) ? this.#mobileNumber() : null,
      address: `${random.between(1, 240)} ${random.pick(streets)}`,
      town: random.pick(this.#towns),
    };
  }

  /** A person of the same household: another given name, the same family name, address and mail address. */
  relative(person: DemoPerson): DemoPerson {
    return { ...person, firstName: this.#random.pick(givenNames) };
  }

  newId(createdUnix: number): number {
    const id = idOf(createdUnix, this.#random.between(1, idsPerSecond - 1));
    if (this.#ids.has(id)) return this.newId(createdUnix);
    this.#ids.add(id);
    return id;
  }

  #newAddress(name: string): string {
    const domain = this.#random.pick(['example.com', 'example.org', 'example.net']);
    const address = `${name}@${domain}`;
    if (this.#addresses.has(address))
      return this.#newAddress(`${name.replace(/\d+$/, '')}${this.#random.between(2, 9_999)}`);
    this.#addresses.add(address);
    return address;
  }

  #mobileNumber(): string {
    const digits = String(this.#random.between(0, 99_999_999)).padStart(8, '0');
    const isBritish = this.#towns[0].countryId === 826;
    // Number ranges that the regulators reserve for fiction.
    return isBritish ? `+447700900${digits.slice(0, 3)}` : `+6149157${digits.slice(0, 4)}`;
  }
}

/** A name as it is written in a mail address. */
function asciiOf(name: string): string {
  return fold(name)
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replace(/[^a-z]/g, '');
}

export interface CustomerPlan {
  readonly random: DemoRandom;
  readonly people: DemoPeople;
  readonly count: number;
  readonly codePrefix: string;
  /** Midnight UTC of the day on which the demo was created. All dates are relative to it. */
  readonly todayUnix: number;
}

export interface DemoCustomer {
  readonly person: DemoPerson;
  readonly record: CustomerRecord;
}

const day = 86_400;
const longestAgoDays = 5 * 365;

/** Oldest first. Some fields are empty for some customers, as in real data. */
export function demoCustomers({ random, people, count, codePrefix, todayUnix }: CustomerPlan): DemoCustomer[] {
  const added = Array.from({ length: count }, () => todayUnix - random.between(day, longestAgoDays * day));
  return added
    .sort((a, b) => a - b)
    .map((addedUnix, index) => {
      const person = people.person();
      const record = {
        userId: people.newId(addedUnix),
        orgCustomerId: `${codePrefix}-${10_001 + index}`,
        firstName: person.firstName,
        lastName: random.chance(0.98) ? person.lastName : null,
        emailAddress: random.chance(0.97) ? person.emailAddress : null,
        mobileNumber: person.mobileNumber,
        postcode: random.chance(0.9) ? person.town.postcode : null,
        marketingEmails: random.chance(0.6),
        newEventNotifications: random.chance(0.4),
        updatedUnix: random.chance(0.5) ? random.between(addedUnix, todayUnix) : null,
        ownsAddress: false,
        isAddressUnproven: false,
        version: 1,
      };
      return { person, record };
    });
}
