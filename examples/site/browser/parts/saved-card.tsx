import type { SavedCard } from '../resources.ts';

/** The card to which later charges go. It is one card for everybody who was bought together. */
export function SavedCardText({ card: { brand, last4, expires } }: { readonly card: SavedCard }) {
  const [year, month] = expires.split('-');
  return (
    <p>
      Charged to {brand.slice(0, 1).toUpperCase() + brand.slice(1)} ending in {last4}, valid until {month}/{year}. One
      card pays for everybody of the membership.
    </p>
  );
}
