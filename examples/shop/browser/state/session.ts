import type { Customer, SavedCard } from '../../../site/browser/resources.ts';
import type { InvoiceAddress, PaymentChoice } from '../resources.ts';
import type { Begun } from './begun.ts';

/** What must survive while the buyer is on a page of the bank. It ends with the tab. */
interface Session {
  /** The basket that the buyer fills. */
  readonly basket?: { readonly id: string; readonly token: string };
  /** The basket that was paid last: its order is on the confirmation page. */
  readonly bought?: { readonly id: string; readonly token: string };
  /** The event of the basket: a basket that has expired does not know it any more. */
  readonly eventId?: string;
  readonly customer?: Customer;
  /** Whom the receipt is made out to. */
  readonly invoiceAddress?: InvoiceAddress;
  /** Whether the buyer has ticked that news may be sent. */
  readonly wantsNews?: boolean;
  /** The payment that was begun; null pays on the page of the provider. */
  readonly paymentMethod?: string | null;
  /** What the checkout charges at once, if the rest is charged later. */
  readonly charged?: number;
  /** How the memberships of the basket are paid for. */
  readonly paymentChoice?: PaymentChoice;
  /** What the fan has begun for a membership: the payment of an instalment, or another card. */
  readonly begun?: Begun;
  /** The card that was saved here: of a membership without instalments, the service shows none. */
  readonly savedCard?: { readonly memberId: string; readonly card: SavedCard };
  readonly fan?: { readonly name: string; readonly token: string };
  readonly gateToken?: string;
  /** Whether the gate shows a light screen, for daylight. */
  readonly gateIsLight?: boolean;
}

const name = 'shop';

export function session(): Session {
  return JSON.parse(sessionStorage.getItem(name) ?? '{}') as Session;
}

/** The token of the fan who is signed in: an order belongs to the fan, and the token proves a membership. */
export function signedIn(): { readonly ssoToken?: string } {
  const { fan } = session();
  return fan === undefined ? {} : { ssoToken: fan.token };
}

/** What the identity provider says about the fan who is signed in. The service verifies the token; the page only fills in a form. */
export function profileOfFan(): Customer {
  const [, claims = ''] = session().fan?.token.split('.') ?? [];
  const bytes = Uint8Array.from(atob(claims.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const profile: Readonly<Record<string, string>> = JSON.parse(new TextDecoder().decode(bytes) || '{}');
  return { email: profile.email ?? '', first_name: profile.given_name ?? '', last_name: profile.family_name ?? '' };
}

/** Changes some values. Undefined removes one. */
export function remember(changes: { readonly [Key in keyof Session]: Session[Key] | undefined }): void {
  sessionStorage.setItem(name, JSON.stringify({ ...session(), ...changes }));
}
