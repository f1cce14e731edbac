import { useEffect, useState } from 'preact/hooks';
import { Field } from '../parts/field.tsx';
import { Link } from '../parts/link.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import type { Basket, Customer, Payment } from '../resources.ts';
import { ApiError } from '../state/api.ts';
import { checkOut, preparePayment, refreshBasket, useBasket } from '../state/basket.ts';
import { money } from '../state/format.ts';
import { hasCode, messageOf } from '../state/messages.ts';
import { navigate } from '../state/router.ts';
import { remember, session } from '../state/session.ts';
import { Expired } from './basket.tsx';

/** The cards of the payment sandbox, and its own page. A live shop shows the provider's component here (docs/payments.md). */
const methods = [
  { id: 'pm_card_visa', title: 'Visa ending in 4242', note: 'pays at once' },
  { id: 'pm_card_threeDSecure2Required', title: 'Visa with 3-D Secure', note: 'your bank asks you to approve' },
  { id: 'pm_card_declined', title: 'Visa without money', note: 'is declined' },
  { id: '', title: 'Payment page', note: 'pay on the page of the provider' },
] as const;

/** Who buys, and with what. */
export function CheckoutPage() {
  const basket = useBasket();
  const isFree = basket?.total === 0;
  return (
    <Page title={isFree ? 'Get your tickets' : 'Payment'}>
      {basket?.status === 'expired' && <Expired />}
      {(basket === undefined || basket.items.length === 0) && (
        <Notice title="There is nothing to pay">
          <Link to="/" class="button">
            See all events
          </Link>
        </Notice>
      )}
      {basket !== undefined && basket.status !== 'expired' && basket.items.length > 0 && <Form basket={basket} />}
    </Page>
  );
}

function Form({ basket }: { readonly basket: Basket }) {
  const [customer, setCustomer] = useState<Customer>(
    session().customer ?? { email: '', first_name: '', last_name: '' },
  );
  const [method, setMethod] = useState<string>(methods[0].id);
  const [isPaying, setIsPaying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isFree = basket.total === 0;
  const amount = money(basket.total, basket.currency ?? 'AUD');
  useEffect(() => void refreshBasket().catch(() => {}), []);

  async function submit(submitted: SubmitEvent): Promise<void> {
    submitted.preventDefault();
    setProblem(undefined);
    setIsPaying(true);
    try {
      await pay(customer, isFree || method === '' ? null : method, isFree);
    } catch (error) {
      setProblem(messageOf(error));
      setIsPaying(false);
      // A token that has run out must not stop the buyer, who can go on as a guest.
      if (hasCode(error, 'sso_token_invalid')) remember({ fan: undefined });
      void refreshBasket().catch(() => {});
    }
  }

  const change = (name: keyof Customer) => (value: string) => setCustomer({ ...customer, [name]: value });
  return (
    <form onSubmit={(submitted) => void submit(submitted)}>
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      <fieldset class="card">
        <legend>Your details</legend>
        <Account />
        <Field
          label="First name"
          value={customer.first_name}
          autoComplete="given-name"
          onChange={change('first_name')}
        />
        <Field label="Last name" value={customer.last_name} autoComplete="family-name" onChange={change('last_name')} />
        <Field label="Email" type="email" value={customer.email} autoComplete="email" onChange={change('email')} />
      </fieldset>
      {!isFree && (
        <fieldset class="card">
          <legend>Pay with</legend>
          {methods.map(({ id, title, note }) => (
            <label key={id} class="choice">
              <input type="radio" name="method" value={id} checked={method === id} onChange={() => setMethod(id)} />
              <span>
                {title}
                <span class="hint">{note}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div class="action">
        <button type="submit" class="button" disabled={isPaying}>
          {isPaying && 'One moment …'}
          {!isPaying && (isFree ? 'Get your tickets' : `Pay ${amount}`)}
        </button>
      </div>
    </form>
  );
}

/** Whose order it becomes. */
function Account() {
  const { fan } = session();
  if (fan !== undefined) return <p>Signed in as {fan.name}: you find these tickets under My tickets.</p>;
  return (
    <p>
      <Link to="/sign-in?back=checkout">Sign in</Link> to find these tickets under My tickets, or go on as a guest.
    </p>
  );
}

/** Pays, or sends the buyer to the page where they pay or approve. */
async function pay(customer: Customer, method: string | null, isFree: boolean): Promise<void> {
  remember({ customer, paymentMethod: method });
  if (method === null && !isFree) return follow(await preparePayment(customer));
  try {
    await checkOut(customer, method);
    navigate('/confirmation');
  } catch (error) {
    if (!(error instanceof ApiError) || error.payment === undefined) throw error;
    follow(error.payment);
  }
}

function follow(payment: Payment): void {
  const redirect = payment.next_action?.redirect_to_url;
  // It is paid already, or the provider has no page for it: the next page asks.
  if (!redirect) navigate('/payment');
  else location.assign(redirect.url);
}
