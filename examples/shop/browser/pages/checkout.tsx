import { useEffect, useState } from 'preact/hooks';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { ButtonLink, Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Customer } from '../../../site/browser/resources.ts';
import { config } from '../../../site/browser/state/config.ts';
import { money } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { ApiError } from '../../../site/browser/state/request.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { BasketLines, type Sold, useSold } from '../parts/basket-lines.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { companyOf, InvoiceAddressFields } from '../parts/invoice-address.tsx';
import { firstMethod, PaymentMethods } from '../parts/payment-methods.tsx';
import { PaymentOptions } from '../parts/payment-options.tsx';
import type { Basket } from '../resources.ts';
import { awaitPayment, isBasketLoading, preparePayment, refreshBasket, useBasket } from '../state/basket.ts';
import { newsText } from '../state/consents.ts';
import { paymentChoice } from '../state/memberships.ts';
import { organisation } from '../state/organisation.ts';
import { follow } from '../state/payment.ts';
import { profileOfFan, remember, session } from '../state/session.ts';
import { Expired, loadingBasket } from './basket.tsx';

/** Who buys, and with what. */
export function CheckoutPage() {
  const basket = useBasket();
  const sold = useSold(basket);
  const isFree = basket?.total === 0;
  // Another part of the page may see first that it is paid, or the answer of the payment was lost.
  const [openedId] = useState(session().basket?.id);
  const isPaid = openedId !== undefined && session().basket === undefined && session().bought?.id === openedId;
  useEffect(() => {
    if (isPaid) navigate('/confirmation');
  }, [isPaid]);
  return (
    <Page title={isFree ? 'Get your tickets' : 'Payment'}>
      {isPaid ? loadingBasket : <Content basket={basket} sold={sold} />}
    </Page>
  );
}

function Content({ basket, sold }: { readonly basket: Basket | undefined; readonly sold: Sold | undefined }) {
  if (isBasketLoading()) return loadingBasket;
  if (basket?.status === 'expired') return <Expired />;
  if (basket === undefined || basket.items.length === 0) {
    return (
      <Notice title="There is nothing to pay">
        <ButtonLink to="/">See all events</ButtonLink>
      </Notice>
    );
  }
  return sold === undefined ? loadingBasket : <Details basket={basket} sold={sold} />;
}

function Details({ basket, sold }: { readonly basket: Basket; readonly sold: Sold }) {
  const [customer, setCustomer] = useState(session().customer ?? profileOfFan());
  const [invoiceAddress, setInvoiceAddress] = useState(session().invoiceAddress ?? {});
  const [method, setMethod] = useState(firstMethod);
  const [waits, setWaits] = useState(false);
  const [wantsNews, setWantsNews] = useState(session().wantsNews ?? false);
  const [chosenId, setOption] = useState(session().paymentChoice?.membership_payment_option_id);
  const option = basket.payment_options.find((one) => one.membership_payment_option_id === chosenId);
  const isFree = basket.total === 0;
  const amount = money(option?.due_now ?? basket.total, basket.currency ?? 'AUD');
  useEffect(() => void refreshBasket().catch(() => {}), []);

  async function pay(): Promise<void> {
    const paymentMethod = isFree || method === '' ? null : method;
    const choice = option && paymentChoice(option, basket.currency ?? 'AUD');
    remember({
      customer,
      invoiceAddress: companyOf(invoiceAddress),
      wantsNews,
      paymentMethod,
      paymentChoice: choice,
      charged: option?.due_now,
    });
    if (paymentMethod === null && !isFree) return follow(await preparePayment(customer), '/payment');
    try {
      await awaitPayment(customer, paymentMethod, () => setWaits(true));
      navigate('/confirmation');
    } catch (error) {
      if (!(error instanceof ApiError) || error.payment === undefined) throw error;
      follow(error.payment, '/payment');
    }
  }

  function refuse(error: unknown): void {
    setWaits(false);
    // A token that has run out must not stop the buyer, who can go on as a guest.
    if (hasCode(error, 'sso_token_invalid')) remember({ fan: undefined });
    void refreshBasket().catch(() => {});
  }

  const change = (name: keyof Customer) => (value: string) => setCustomer({ ...customer, [name]: value });
  return (
    <ActionForm act={pay} refused={refuse} label={isFree ? 'Get your tickets' : `Pay ${amount}`}>
      <section class="card" aria-labelledby="bought">
        <h2 id="bought">Your order</h2>
        <ul class="lines">
          <BasketLines basket={basket} {...sold} />
        </ul>
        <Link to="/basket">Change the basket</Link>
      </section>
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
        <Choice name="news" checked={wantsNews} onChange={setWantsNews}>
          {newsText()}
        </Choice>
      </fieldset>
      {!isFree && <InvoiceAddressFields address={invoiceAddress} onChange={setInvoiceAddress} />}
      <PaymentOptions basket={basket} chosen={option} onChange={setOption} />
      {!isFree && <PaymentMethods method={method} onChange={setMethod} />}
      <Terms isFree={isFree} />
      <p role="status">{waits && 'Your bank has not answered yet. We keep your tickets and ask again: please wait.'}</p>
    </ActionForm>
  );
}

/** What the buyer accepts. It opens on this page, so nothing that was typed is lost. */
function Terms({ isFree }: { readonly isFree: boolean }) {
  const { terms = [] } = config();
  if (terms.length === 0) return null;
  return (
    <details class="card">
      <summary>
        {isFree ? 'With your order' : 'With your payment'} you accept the terms of {organisation().name}
      </summary>
      {terms.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </details>
  );
}

/** Whose order it becomes. */
function Account() {
  const { fan } = session();
  if (fan !== undefined) return <p>Signed in as {fan.name}: you find your order under My tickets.</p>;
  return (
    <p>
      <Link to="/sign-in?back=/checkout">Sign in</Link> to find your order under My tickets, or go on as a guest.
    </p>
  );
}
