import type { ComponentChildren } from 'preact';
import { Link } from '../../../site/browser/parts/link.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { fullName } from '../../../site/browser/state/format.ts';
import { cancelledMember, type FanMembership, type OrderMembership, unpaidMember } from '../resources.ts';
import { day } from '../state/format.ts';
import { QrCode } from './qr-code.tsx';

/** The cards of a member, each with the QR code that gates read. */
export const Memberships = ({ memberships }: { readonly memberships: readonly FanMembership[] }) => (
  <section class="stack" aria-labelledby="memberships">
    <h2 id="memberships">My memberships</h2>
    <Cards memberships={memberships}>
      {({ membership_member_id, member_number }) => (
        <Link to={`/memberships/${membership_member_id}`} class="button quiet small">
          Manage<span class="visually-hidden"> membership {member_number}</span>
        </Link>
      )}
    </Cards>
  </section>
);

interface CardsProps {
  readonly memberships: readonly Shown[];
  /** What a member can do with a card. */
  readonly children?: (membership: Shown) => ComponentChildren;
}

export const Cards = ({ memberships, children }: CardsProps) => (
  <ul class="tickets">
    {memberships.map((membership) => (
      <li key={membership.membership_member_id} class="ticket">
        <Card membership={membership}>{children?.(membership)}</Card>
      </li>
    ))}
  </ul>
);

/** What a card shows. One that was just bought is valid, and has no seat yet. */
type Shown = OrderMembership & Partial<FanMembership>;

/** A card, with the QR code that gates read. */
export function Card({ membership, children }: { readonly membership: Shown; readonly children?: ComponentChildren }) {
  const { member_number, category_title, type_title, barcode, expires } = membership;
  const holder = fullName(membership);
  const invalid = whyInvalid(membership);
  const seat = [membership.seat_section, membership.seat_row, membership.seat_title].filter(Boolean);
  return (
    <>
      <div class="ticket-text">
        <p class="ticket-event">{type_title ?? 'Membership'}</p>
        {holder !== '' && <p>{holder}</p>}
        {category_title && <p>{category_title}</p>}
        {member_number !== null && <p class="ticket-kind">Member {member_number}</p>}
        {seat.length > 0 && <p>Seat {seat.join(' · ')}</p>}
        {expires !== null && (
          <p>
            {invalid === 'Expired' ? 'Expired on' : 'Valid until'} {day(expires)}
          </p>
        )}
        {barcode !== null && <p class="card-barcode">{barcode}</p>}
      </div>
      {invalid !== undefined && <p class="tag bad">{invalid}</p>}
      {invalid === undefined && barcode !== null && (
        <QrCode text={barcode} label={`Card of member ${member_number ?? ''}`} />
      )}
      {children !== undefined && <p class="stack ticket-actions">{children}</p>}
    </>
  );
}

/** Why a gate would not admit the card; undefined for one that is valid. */
function whyInvalid({ membership_member_status_id: status, expires }: Shown): string | undefined {
  if (status === cancelledMember) return 'Cancelled';
  if (status === unpaidMember) return 'Not paid yet';
  return expires !== null && expires * 1000 <= nowMs() ? 'Expired' : undefined;
}
