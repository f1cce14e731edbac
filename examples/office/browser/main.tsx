import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showClosed } from '../../site/browser/parts/closed.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { readConfig } from '../../site/browser/state/config.ts';
import { applyColours } from '../../site/browser/state/theme.ts';
import { currentStaff, onSignedOut, ownOrganisation, type Staff } from './api.ts';
import { CurrentPage } from './current-page.tsx';
import { Frame } from './frame.tsx';
import { SignIn } from './sign-in.tsx';

interface OfficeProps {
  readonly organisation: Organisation;
  readonly staff: Staff | undefined;
}

/** The office. When a session ends, the page stays behind the sign-in: nothing that was typed is lost. */
function Office({ organisation, staff: first }: OfficeProps) {
  const [staff, setStaff] = useState(first);
  const [wasOpen, setWasOpen] = useState(first !== undefined);
  useEffect(() => onSignedOut(() => setStaff(undefined)), []);
  const open = (signedIn: Staff): void => {
    setStaff(signedIn);
    setWasOpen(true);
  };
  return (
    <Frame organisation={organisation} staff={staff}>
      {staff === undefined && <SignIn onSignedIn={open} />}
      {wasOpen && (
        <div hidden={staff === undefined}>
          <CurrentPage organisation={organisation} />
        </div>
      )}
    </Frame>
  );
}

const root = document.getElementById('site');
if (root === null) throw new Error('The document has no place for the office.');
try {
  readConfig();
  const [organisation, staff] = await Promise.all([ownOrganisation(), currentStaff()]);
  applyColours(organisation.background_color);
  render(<Office organisation={organisation} staff={staff} />, root);
} catch (error) {
  showClosed('The office is closed for a moment', error, root);
}
