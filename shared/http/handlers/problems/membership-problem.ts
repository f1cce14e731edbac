import type { MembershipRefusal, Saved, SavedMembership } from '../../../catalogue/save-membership.ts';
import { isCurrency, toThousandths } from '../../../domain/money.ts';
import { chargedDecimals } from '../../../domain/prices/amounts.ts';
import { versionConflict } from '../../if-match.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';
import { capacityTaken, codeTaken } from './catalogue-problem.ts';

type What = 'membership type' | 'membership category' | 'membership payment option';

/** What was saved. Throws the problem if it was refused. */
export function unwrapSavedMembership(saved: SavedMembership, what: What): Saved {
  if (saved.outcome === 'saved') return saved;
  throw membershipProblem(saved, what);
}

function membershipProblem(refusal: MembershipRefusal, what: What): Problem {
  switch (refusal.outcome) {
    case 'missing':
      return notFound(what);
    case 'code_taken':
      return codeTaken(what);
    case 'version_changed':
      return versionConflict(what, refusal.version);
    case 'capacity_taken':
      return capacityTaken(refusal.taken, 'memberships');
    case 'invalid':
      return fieldProblem(refusal);
  }
}

function fieldProblem({ field, currency }: Extract<MembershipRefusal, { readonly outcome: 'invalid' }>): Problem {
  switch (field) {
    case 'membership_category_id':
      return referenceMissing('membership category', field);
    case 'membership_seat_map_id':
      return referenceMissing('seat map', field);
    case 'renews_as_membership_type_id':
      return referenceMissing('membership type', field);
    case 'membership_payment_option_ids':
      return referenceMissing('membership payment option', field);
    case 'price':
      return invalid(field, chargedDecimals(currency ?? ''));
    case 'available_from_unix':
      return problem('parameter_conflict', 'The parameter available_from_unix must be before available_until_unix.', {
        param: field,
      });
  }
}

interface TypeInput {
  readonly price?: number | undefined;
  readonly currency?: string | null | undefined;
  readonly tax_rate?: number | null | undefined;
}

/** What a schema cannot say about the price, its currency and the tax. */
export function checkTypeInput({ price, currency, tax_rate }: TypeInput): void {
  if (currency != null && !isCurrency(currency)) {
    throw invalid('currency', 'must be the ISO 4217 code of a currency, such as AUD.');
  }
  if (price !== undefined && toThousandths(price) === undefined) {
    throw invalid('price', currency == null ? 'must have at most three decimals.' : chargedDecimals(currency));
  }
  if (tax_rate != null && toThousandths(tax_rate) === undefined) {
    throw invalid('tax_rate', 'must have at most three decimals.');
  }
}

function invalid(param: string, message: string): Problem {
  return problem('parameter_invalid', `The parameter ${param} ${message}`, { param });
}
