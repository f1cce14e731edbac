import { Instalments } from '../../site/browser/parts/instalments.tsx';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { SavedCardText } from '../../site/browser/parts/saved-card.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { day, seatOf } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { everyItem, officeCall } from './api.ts';
import { CustomerConsents } from './customer-consents.tsx';
import { OtherSystems } from './other-systems.tsx';
import { MemberStatus, nameOf, OrderLines } from './people.tsx';
import { plansOf } from './plans.ts';
import type { KnownCustomer, Member, OfficeOrder, ShownPlan } from './resources.ts';

/** The lists find a customer by the complete number, and others by a number of their own. */
async function load(userId: number) {
  const list = async <Item,>(path: string) => (await officeCall<List<Item>>('GET', path)).data;
  const [customers, orders, members] = await Promise.all([
    list<KnownCustomer>(`/v1/customers?search=${userId}`),
    everyItem<OfficeOrder>(`/v1/orders?user_id=${userId}`),
    list<Member>(`/v1/members?limit=100&search=${userId}`),
  ]);
  const isTheirs = ({ user_id }: { readonly user_id: number | null }) => user_id === userId;
  return { customer: customers.find(isTheirs), orders, members: await withPlans(members.filter(isTheirs)) };
}

interface PaidMember {
  readonly member: Member;
  /** Shown at the first member that it pays for, and `above` at the others; undefined if there is none. */
  readonly plan: ShownPlan | 'above' | undefined;
}

async function withPlans(members: readonly Member[]): Promise<readonly PaidMember[]> {
  const plans = await plansOf(members.filter(({ instalments }) => instalments));
  const isOf = (plan: ShownPlan, member: Member) => plan.membership_member_ids.includes(member.membership_member_id);
  return members.map((member) => {
    const plan = plans.find((one) => isOf(one, member));
    const isFirst = plan !== undefined && members.find((one) => isOf(plan, one)) === member;
    return { member, plan: plan === undefined || isFirst ? plan : 'above' };
  });
}

async function loadMember(id: string): Promise<PaidMember> {
  const member = await officeCall<Member>('GET', `/v1/members/${id}`);
  const [plan] = await plansOf(member.instalments ? [member] : []);
  return { member, plan };
}

interface CustomerProps {
  readonly id: string;
  readonly organisation: Organisation;
}

/** A customer: orders, memberships and how they are paid. */
export function CustomerPage({ id, organisation: { timezone } }: CustomerProps) {
  const loaded = useLoaded(() => load(Number(id)), [id]);
  const customer = loaded.state === 'ready' ? loaded.value.customer : undefined;
  return (
    <Page title={customer === undefined ? 'Customer' : nameOf(customer)}>
      <WhenLoaded of={loaded} what="the customer">
        {({ orders, members }) => (
          <>
            <p class="intro">
              {[customer?.email_address, customer?.mobile_number, customer?.postcode].filter(Boolean).join(' · ')}
            </p>
            <h2>Orders</h2>
            {orders.length === 0 ? <Notice title="No orders" /> : <OrderLines of={orders} timezone={timezone} />}
            <h2>Memberships</h2>
            {members.length === 0 && <Notice title="No memberships" />}
            {members.map((paid) => (
              <Membership key={paid.member.membership_member_id} {...paid} timezone={timezone} />
            ))}
            {customer !== undefined && <CustomerConsents of={customer} timezone={timezone} />}
            {customer !== undefined && <OtherSystems of={customer} />}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

/** A member: the membership, and whose it is. */
export function MemberPage({ id, organisation: { timezone } }: CustomerProps) {
  const loaded = useLoaded(() => loadMember(id), [id]);
  return (
    <Page title={loaded.state === 'ready' ? nameOf(loaded.value.member) : 'Member'}>
      <WhenLoaded of={loaded} what="the member">
        {({ member, plan }) => (
          <>
            <p class="intro">{member.email_address}</p>
            <Membership member={member} plan={plan} timezone={timezone} />
            {member.user_id !== null && (
              <p>
                <Link to={`/office/customers/${member.user_id}`}>All orders and memberships of this customer</Link>
              </p>
            )}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface MembershipProps extends PaidMember {
  readonly timezone: string;
}

function Membership({ member, plan, timezone }: MembershipProps) {
  const { member_number, category_title, type_title, barcode } = member;
  const seat = seatOf({ ...member, section_label: member.seat_section });
  const facts = [nameOf(member), member_number && `member ${member_number}`, seat, barcode && `card ${barcode}`];
  return (
    <section class="card">
      <h2>
        {[category_title, type_title].filter(Boolean).join(', ') || 'Membership'} <MemberStatus member={member} />
      </h2>
      <p>
        {untilText(member, timezone)}
        <span class="hint">{facts.filter(Boolean).join(' · ')}</span>
      </p>
      {member.membership_order_id !== null && (
        <p>
          {/* An order of another system, of which a member was imported, has no page here. */}
          {/^\d{16}$/.test(member.membership_order_id) ? (
            <Link to={`/office/orders/${member.membership_order_id}`}>Order {member.membership_order_id}</Link>
          ) : (
            `Order ${member.membership_order_id} of another system`
          )}
        </p>
      )}
      {plan === 'above' && <p>The instalments of a membership above pay for this one, too.</p>}
      {plan !== undefined && plan !== 'above' && <Plan plan={plan} timezone={timezone} />}
      {member.instalments && plan === undefined && (
        <p>
          The system that sold this membership charges its instalments. What is still to be paid is known there, not
          here.
        </p>
      )}
      <OtherSystems of={member} isPart />
    </section>
  );
}

const cancelled = 3;

/** A term that was cancelled is over, whenever it should have ended. */
function untilText({ expires, membership_member_status_id: status }: Member, timezone: string): string {
  if (status === cancelled) return 'Admits nowhere any more';
  return expires === null ? 'Does not end' : `Until ${day(expires, timezone)}`;
}

function Plan({ plan, timezone }: { readonly plan: ShownPlan; readonly timezone: string }) {
  return (
    <>
      <h3>Instalments</h3>
      {plan.disputed_at !== null && <p>The member disputes a charge, so the card is not charged any more.</p>}
      <Instalments plan={plan} timezone={timezone} />
      {plan.payment_method !== null && <SavedCardText card={plan.payment_method} />}
    </>
  );
}
