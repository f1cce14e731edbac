import type { EventPosition, OrganisationPosition, RoundPosition } from './position.ts';
import { positionedLists } from './positioned-lists.ts';

/** A step of the audit did not get further, so the part that it belongs to would never end. */
export class NoProgress extends Error {
  /** The part, without its sort key, which may be a name or an email address. */
  readonly part: Readonly<Record<string, string | number>>;

  constructor(part: NoProgress['part']) {
    super(`A part of the audit makes no progress: ${JSON.stringify(part)}.`);
    this.part = part;
  }
}

/** What follows a step must come later in the round. There are finitely many places in a table, so every round ends. */
export function requireProgress(at: RoundPosition, next: RoundPosition | undefined): void {
  if (next !== undefined && !isAfter(placeOf(next), placeOf(at))) throw new NoProgress(nameOf(at));
}

/** Where a position is in the order of a round, as in a dictionary. */
type Place = readonly (number | string)[];

const eventParts = ['orders', 'tickets', 'scans', 'member-tickets', 'totals'] as const;

function placeOf(position: RoundPosition): Place {
  switch (position.part) {
    case 'hints':
      return [0];
    // `after` an organisation comes after everything in it.
    case 'organisations':
      return [1, position.after, 1];
    case 'organisation':
      return [1, position.orgId, 0, ...placeInOrganisation(position.at)];
  }
}

function placeInOrganisation(position: OrganisationPosition): Place {
  switch (position.part) {
    case 'events':
      return [0, position.after, 1];
    case 'event':
      return [0, position.eventId, 0, ...placeInEvent(position.at)];
    case 'customers':
      return [1, position.after];
    case 'codes':
      return [2, position.campaignId, position.after ?? ''];
    case 'charges':
      return [3, position.after];
    case 'receipts':
      return [4, position.after];
    case 'positions': {
      const { resource, list, after } = position;
      return [5, positionedLists.findIndex((one) => one.resource === resource && one.list === list), after];
    }
  }
}

function placeInEvent(position: EventPosition): Place {
  const part = eventParts.indexOf(position.part);
  if ('from' in position) return [part, position.from];
  return 'after' in position ? [part, position.after] : [part];
}

function isAfter(place: Place, other: Place): boolean {
  const index = place.findIndex((part, at) => part !== other[at]);
  const [one, two] = [place[index], other[index]];
  if (typeof one === 'number' && typeof two === 'number') return one > two;
  // DynamoDB compares the bytes of sort keys.
  return Buffer.compare(Buffer.from(String(one ?? '')), Buffer.from(String(two ?? ''))) > 0;
}

function nameOf(position: RoundPosition): NoProgress['part'] {
  if (position.part !== 'organisation') return { part: position.part };
  const { orgId: org_id, at } = position;
  switch (at.part) {
    case 'event':
      return { org_id, part: at.at.part, event_id: at.eventId };
    case 'positions':
      return { org_id, part: at.part, list: `${at.resource} ${at.list}` };
    default:
      return { org_id, part: at.part };
  }
}
