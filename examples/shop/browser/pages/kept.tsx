import { useEffect, useState } from 'preact/hooks';
import { Link } from '../parts/link.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { adoptBasket } from '../state/basket.ts';
import { hasCode, messageOf } from '../state/messages.ts';
import { navigate } from '../state/router.ts';

/**
 * The page of a link to tickets that are kept for somebody: `/kept/7#token`. The part after # is not sent to any server, so no log
 * has the token.
 */
export function KeptPage({ basketId }: { readonly basketId: string }) {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    adoptBasket(basketId, location.hash.slice(1)).then(
      () => navigate('/basket', { replace: true }),
      (error: unknown) =>
        setProblem(
          hasCode(error, 'resource_not_found', 'basket_token_invalid')
            ? 'This link is not complete, or these tickets are not kept any more. Ask the club for a new one.'
            : messageOf(error),
        ),
    );
  }, [basketId]);
  return (
    <Page title="Tickets that are kept for you">
      {problem === undefined ? (
        <p class="loading" role="status">
          Loading your tickets …
        </p>
      ) : (
        <Notice tone="bad">
          <p>{problem}</p>
          <Link to="/" class="button">
            See all events
          </Link>
        </Notice>
      )}
    </Page>
  );
}
