import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Loading, Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { adoptBasket } from '../state/basket.ts';

/**
 * The page of a link to tickets that are kept for somebody: `/kept/7#token`. The part after # is not sent to any server, so no log
 * has the token.
 */
export function KeptPage({ basketId }: { readonly basketId: string }) {
  const adopted = useLoaded(async () => {
    await adoptBasket(basketId, location.hash.slice(1));
    navigate('/basket', { replace: true });
  }, [basketId]);
  return (
    <Page title="Tickets that are kept for you">
      {adopted.state === 'failed' ? (
        <Notice tone="bad">
          <p>
            {hasCode(adopted.error, 'resource_not_found', 'basket_token_invalid')
              ? 'This link is not complete, or these tickets are not kept any more. Ask the club for a new one.'
              : messageOf(adopted.error)}
          </p>
          <ButtonLink to="/">See all events</ButtonLink>
        </Notice>
      ) : (
        <Loading>Loading your tickets …</Loading>
      )}
    </Page>
  );
}
