/**
 * A text that a fan has typed, such as a name. It reaches other people in a mail of the organisation, and mail programs make a link of all
 * that looks like an address. So it loses what makes it one: `http://evil.example` becomes `http evil. example`, and `J.R. Tolkien` becomes
 * `J. R. Tolkien`. NFKC turns the other forms of these signs, such as the full-width dot, into the usual ones.
 */
export const fanText = (text: string | null | undefined): string =>
  (text ?? '')
    .normalize('NFKC')
    .replaceAll(/[@:/\\\s]+/g, ' ')
    .replaceAll(/[.。]+(?=[^ .,;)])/g, '. ')
    .trim();
