import { useState } from 'preact/hooks';
import { SmallButton } from './button.tsx';

/** A button that copies a link, and says whether it did. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [said, setSaid] = useState('');
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      setSaid('This browser does not copy. Select the link and copy it.');
    }
  }
  return (
    <>
      <SmallButton onClick={() => void copy()}>{label}</SmallButton>
      <span role="status">{said}</span>
    </>
  );
}
