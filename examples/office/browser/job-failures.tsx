import { Link } from '../../site/browser/parts/link.tsx';
import { Notice } from '../../site/browser/parts/notice.tsx';
import type { Job } from './resources.ts';

interface Words {
  readonly title: string;
  readonly advice: string;
  readonly canBeRefunded?: boolean;
}

/** What staff read for the reason of a failure, and what they can do about it. */
const words: Readonly<Record<string, Words>> = {
  refund_refused: {
    title: 'The payment provider refused the refund',
    advice:
      'The buyers still have their tickets, and no money yet. Refund again. If it is refused again, the card may be closed: return the money in another way, such as a bank transfer.',
    canBeRefunded: true,
  },
  refund_pending: {
    title: 'The payment provider has not answered for an hour',
    advice: 'There is nothing to do: the refunds go on by themselves. Look at these orders tomorrow.',
  },
  not_changed: {
    title: 'A mistake on our side stopped these orders',
    advice: 'We look into it. If an order is unchanged tomorrow, send us its number.',
  },
};

const otherWords = (code: string): Words => ({
  title: 'Something else stopped these orders',
  advice: `Send us their numbers and this reason: ${code.replaceAll('_', ' ')}.`,
});

/** The orders that the job could not work on, by reason. */
export function JobFailures({ job: { failed, report } }: { readonly job: Job }) {
  const codes = [...new Set(report.failures.map(({ code }) => code))];
  return (
    <Notice tone="bad" title={failed === 1 ? '1 order needs you' : `${failed} orders need you`}>
      {codes.map((code) => {
        const { title, advice, canBeRefunded = false } = words[code] ?? otherWords(code);
        return (
          <section key={code}>
            <h2>{title}</h2>
            <p>{advice}</p>
            <ul class="failures">
              {report.failures
                .filter((failure) => failure.code === code)
                .map(({ order_id: orderId }) => (
                  <li key={orderId}>
                    <Link to={`/office/orders/${orderId}`}>
                      Order {orderId}
                      {canBeRefunded && ': refund it again'}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        );
      })}
      {report.failures_omitted > 0 && (
        <p>And {report.failures_omitted} more: the list of the event's confirmed orders has all of them.</p>
      )}
    </Notice>
  );
}
