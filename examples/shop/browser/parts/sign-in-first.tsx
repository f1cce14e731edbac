import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';

/** A page that only a signed-in fan sees, and the way back to it. */
export const SignInFirst = (page: { readonly title: string; readonly intro: string }) => (
  <Page {...page}>
    <ButtonLink to={`/sign-in?back=${location.pathname}`}>Sign in</ButtonLink>
  </Page>
);
