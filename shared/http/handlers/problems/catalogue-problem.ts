import type { CheckedPrice, PriceRefusal } from '../../../catalogue/save-price.ts';
import type { SavedVenue, VenueRefusal } from '../../../catalogue/save-venue.ts';
import { maxPrices, type PriceRecord } from '../../../domain/prices/price.ts';
import { versionConflict } from '../../if-match.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';

/** The price that was saved. Throws the problem if it was refused. */
export function unwrapSavedPrice(saved: CheckedPrice, isNew: boolean): PriceRecord {
  if ('price' in saved) return saved.price;
  if (isNew && saved.outcome === 'version_changed') throw codeTaken('price');
  throw priceProblem(saved);
}

/** The venue that was saved. Throws the problem if it was refused. */
export function unwrapSavedVenue(saved: SavedVenue | VenueRefusal): SavedVenue {
  switch (saved.outcome) {
    case 'missing':
      throw notFound('venue');
    case 'code_taken':
      throw codeTaken('venue');
    case 'version_changed':
      throw versionConflict('venue', saved.version);
    default:
      return saved;
  }
}

/** A new object has a code that another one of its parent has. */
export function codeTaken(what: string): Problem {
  const message = `A ${what} with this code exists. Choose another code, or change that ${what}.`;
  return problem('code_taken', message, { param: 'code' });
}

export function capacityTaken(taken: number, what: 'tickets' | 'places' | 'memberships'): Problem {
  const message = `The parameter capacity must be at least ${taken}: so many ${what} are sold or held.`;
  return problem('capacity_taken', message, { param: 'capacity' });
}

/** A price category sells a zone that the seat map of its event does not have. */
export function zoneMissing(): Problem {
  return referenceMissing('zone of the seat map of the event', 'zone');
}

export function tooManyPrices(): Problem {
  return problem('too_many_prices', `An event has at most ${maxPrices} prices and pools together.`);
}

const contradictions = {
  rebate: 'The parameter rebate must not be more than price.',
  available_from_unix: 'The parameter available_from_unix must be before available_until_unix.',
  max_per_member: 'The parameter max_per_member needs membership_type_id: only members have a limit.',
} as const;

function priceProblem(refusal: PriceRefusal): Problem {
  switch (refusal.outcome) {
    case 'event_missing':
      return notFound('event');
    case 'price_missing':
      return notFound('price');
    case 'category_missing':
      return referenceMissing('price category of the event', 'price_category_id');
    case 'membership_type_missing':
      return referenceMissing('membership type', 'membership_type_id');
    case 'pool_missing':
      return referenceMissing('pool of the event', 'pool_id');
    case 'contradiction':
      return problem('parameter_conflict', contradictions[refusal.field], { param: refusal.field });
    case 'capacity_missing':
      return problem(
        'parameter_missing',
        'The parameter capacity is required: only a price in a pool can do without.',
        {
          param: 'capacity',
        },
      );
    case 'too_many_prices':
      return tooManyPrices();
    case 'capacity_taken':
      return capacityTaken(refusal.taken, 'tickets');
    case 'stocks_taken': {
      const message = `The parameter pool_id, and whether the price has a capacity, cannot change while ${refusal.taken} tickets are sold or held.`;
      return problem('stocks_taken', message, { param: 'pool_id' });
    }
    case 'version_changed':
      return versionConflict('price', refusal.version);
    case 'currency_changed':
      return problem('dependency_unavailable', 'The currency of the event changed meanwhile. Try again.');
  }
}
