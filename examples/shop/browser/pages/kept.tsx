import { useEffect, useState } from 'preact/hooks';
import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Loading, Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { adoptBasket } from '../state/basket.ts';

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
        <Loading>Loading your tickets …</Loading>
      ) : (
        <Notice tone="bad">
          <p>{problem}</p>
          <ButtonLink to="/">See all events</ButtonLink>
        </Notice>
      )}
    </Page>
  );
}
