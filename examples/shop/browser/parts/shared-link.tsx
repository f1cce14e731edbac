import { useState } from 'preact/hooks';

interface SharedLinkProps {
  readonly address: string;
  /** The text of the link. */
  readonly label: string;
}

/** A link to keep or to send, with buttons that copy and share it. */
export function SharedLink({ address, label }: SharedLinkProps) {
  const [said, setSaid] = useState('');
  const copy = (): void =>
    void navigator.clipboard.writeText(address).then(
      () => setSaid('Copied.'),
      () => setSaid('This browser does not copy. Hold the link to copy it.'),
    );
  return (
    <>
      <p>
        <a href={address}>{label}</a>
      </p>
      <p class="buttons">
        <button type="button" class="button quiet small" onClick={copy}>
          Copy the link
        </button>
        {'share' in navigator && (
          <button
            type="button"
            class="button quiet small"
            onClick={() => void navigator.share({ title: label, url: address }).catch(() => {})}
          >
            Share
          </button>
        )}
        <span role="status">{said}</span>
      </p>
    </>
  );
}
