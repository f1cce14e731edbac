import type { ComponentType } from 'preact';
import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { session } from '../state/session.ts';

/** A page that only a signed-in fan sees; to others, the way to sign in and back to it. */
export const signInFirst = <Props extends object>(title: string, intro: string, OfFan: ComponentType<Props>) =>
  function PageOfFan(props: Props) {
    if (session().fan !== undefined) return <OfFan {...props} />;
    return (
      <Page title={title} intro={intro}>
        <ButtonLink to={`/sign-in?back=${location.pathname}`}>Sign in</ButtonLink>
      </Page>
    );
  };
