import type { NextTerm } from '../members/next-term.ts';

type Change = NextTerm['change'];

/** Why there is nothing to add to a basket: what a request names does not exist for the caller, or cannot be added. */
export type ItemRefusal =
  /** The index says which of several items names the price. */
  | { readonly reason: 'price_unknown'; readonly index?: number }
  | { readonly reason: 'type_unknown' | 'section_unknown' }
  | { readonly reason: 'member_unknown' | 'member_of_another' | 'term_being_refunded'; readonly change: Change }
  /** The best seats are of one zone. */
  | { readonly reason: 'several_zones' }
  | { readonly reason: 'renewal_names_price' | 'renews_and_replaces' | 'renewal_names_holders' }
  | { readonly reason: 'renewed_as_other_type'; readonly typeId: number }
  | { readonly reason: 'replacing_type_missing' | 'replaced_by_same_type' | 'instalments_outstanding' }
  | { readonly reason: 'replaced_term_has_later'; readonly memberIds: readonly number[] }
  | { readonly reason: 'not_renewable'; readonly change: Change; readonly because: NotRenewable }
  | {
      readonly reason: 'too_many_members';
      readonly change: Change;
      readonly members: number;
      readonly persons: number;
    };

export type NotRenewable =
  | 'cancelled'
  /** The type has no successor, and its term has no length. */
  | 'no_next_type'
  /** The term that would follow ends no later. */
  | 'ends_no_later'
  | 'type_has_expired'
  /** A bank has withdrawn what would be credited. */
  | 'payment_withdrawn'
  | 'other_currency';
