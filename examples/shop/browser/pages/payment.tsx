import { useEffect, useState } from 'preact/hooks';
import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Loading, Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { awaitPayment, refreshBasket } from '../state/basket.ts';
import { session } from '../state/session.ts';

/**
 * The buyer comes back from the bank. The query says how it went, but anyone can write a query: the service asks the payment
 * provider.
 */
export function PaymentPage() {
  const [problem, setProblem] = useState<unknown>();
  const [waits, setWaits] = useState(false);
  useEffect(() => void finish(() => setWaits(true)).catch(setProblem), []);
  if (problem === undefined) {
    return (
      <Page title="Confirming your payment">
        <Loading>
          {waits
            ? 'Your bank has not answered yet. We keep your tickets and ask again every few seconds: please stay on this page.'
            : 'One moment: we ask your bank …'}
        </Loading>
      </Page>
    );
  }
  const canPay = !hasCode(problem, 'basket_expired', 'basket_cancelled');
  return (
    <Page title="Your tickets are not paid yet">
      <Notice tone="bad">
        <p>{messageOf(problem)}</p>
        <ButtonLink to={canPay ? '/checkout' : '/'}>{canPay ? 'Back to the payment' : 'See all events'}</ButtonLink>
      </Notice>
    </Page>
  );
}

async function finish(onWait: () => void): Promise<void> {
  const { customer, basket, bought, paymentMethod = null } = session();
  if (basket === undefined || customer === undefined) {
    return navigate(bought === undefined ? '/basket' : '/confirmation', { replace: true });
  }
  try {
    await awaitPayment(customer, paymentMethod, onWait);
    navigate('/confirmation', { replace: true });
  } catch (error) {
    await refreshBasket().catch(() => {});
    throw error;
  }
}
