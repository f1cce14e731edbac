import { SmallButton } from '../../../site/browser/parts/button.tsx';
import { CopyButton } from '../../../site/browser/parts/copy-button.tsx';

/** A link to keep or to send, with its text and with buttons that copy and share it. */
export function SharedLink({ address, label }: { readonly address: string; readonly label: string }) {
  return (
    <>
      <p>
        <a href={address}>{label}</a>
      </p>
      <p class="buttons">
        <CopyButton text={address} label="Copy the link" />
        {'share' in navigator && (
          <SmallButton onClick={() => void navigator.share({ title: label, url: address }).catch(() => {})}>
            Share
          </SmallButton>
        )}
      </p>
    </>
  );
}
