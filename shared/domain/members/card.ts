/** A card that the member had before. Its barcode admits nobody. */
export interface FormerCard {
  readonly barcode: string;
  readonly untilUnix: number;
}

/** What a membership stores of its cards. Null in both: it has its first one. */
export interface Cards {
  readonly formerCards: FormerCard[] | null;
  /** Which card it is, from 1: each new barcode and each new customer has another one. Passes of a former card are void. */
  readonly cardVersion: number | null;
}

interface CardHolder extends Cards {
  readonly barcode: string | null;
  readonly userId: number | null;
}

/** A gate without a connection forgets older ones with the season. */
const maxFormerCards = 20;

/** The cards of a member after a change of barcode or customer. */
export function cardsAfter(before: CardHolder, after: Pick<CardHolder, 'barcode' | 'userId'>, atUnix: number): Cards {
  const { formerCards, cardVersion, barcode } = before;
  const isReplaced = barcode !== after.barcode;
  // A membership that nobody had gets its first person.
  const isOthers = before.userId !== null && before.userId !== after.userId;
  if (!isReplaced && !isOthers) return { formerCards, cardVersion };
  const former = (formerCards ?? []).filter((card) => card.barcode !== after.barcode);
  const ended = isReplaced && barcode !== null ? [{ barcode, untilUnix: atUnix }] : [];
  const cards = [...former, ...ended].slice(-maxFormerCards);
  return { formerCards: cards.length === 0 ? null : cards, cardVersion: (cardVersion ?? 0) + 1 };
}
