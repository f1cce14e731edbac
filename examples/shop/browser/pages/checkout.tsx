import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Customer, Organisation } from '../../../site/browser/resources.ts';
import { money } from '../../../site/browser/state/format.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { ApiError } from '../../../site/browser/state/request.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { Field } from '../parts/field.tsx';
import { firstMethod, PaymentMethods } from '../parts/payment-methods.tsx';
import { PaymentOptions } from '../parts/payment-options.tsx';
import type { Basket } from '../resources.ts';
import { checkOut, preparePayment, refreshBasket, useBasket } from '../state/basket.ts';
import { paymentChoice } from '../state/memberships.ts';
import { follow } from '../state/payment.ts';
import { remember, session } from '../state/session.ts';
import { Expired } from './basket.tsx';

/** Who buys, and with what. */
export function CheckoutPage({ organisation }: { readonly organisation: Organisation }) {
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
      {basket !== undefined && basket.status !== 'expired' && basket.items.length > 0 && (
        <Form basket={basket} timezone={organisation.timezone} />
      )}
    </Page>
  );
}

function Form({ basket, timezone }: { readonly basket: Basket; readonly timezone: string }) {
  const [customer, setCustomer] = useState<Customer>(
    session().customer ?? { email: '', first_name: '', last_name: '' },
  );
  const [method, setMethod] = useState(firstMethod);
  const [isPaying, setIsPaying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [chosenId, setOption] = useState(session().paymentChoice?.membership_payment_option_id);
  const option = basket.payment_options.find((one) => one.membership_payment_option_id === chosenId);
  const isFree = basket.total === 0;
  const amount = money(option?.due_now ?? basket.total, basket.currency ?? 'AUD');
  useEffect(() => void refreshBasket().catch(() => {}), []);

  async function submit(submitted: SubmitEvent): Promise<void> {
    submitted.preventDefault();
    setProblem(undefined);
    setIsPaying(true);
    try {
      remember({ paymentChoice: option && paymentChoice(option, basket.currency ?? 'AUD', timezone) });
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
      <PaymentOptions basket={basket} timezone={timezone} chosen={option} onChange={setOption} />
      {!isFree && <PaymentMethods method={method} onChange={setMethod} />}
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
  if (method === null && !isFree) return follow(await preparePayment(customer), '/payment');
  try {
    await checkOut(customer, method);
    navigate('/confirmation');
  } catch (error) {
    if (!(error instanceof ApiError) || error.payment === undefined) throw error;
    follow(error.payment, '/payment');
  }
}
