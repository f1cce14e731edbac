import { useId } from 'preact/hooks';
import { CopyButton } from '../../site/browser/parts/copy-button.tsx';

interface LinkProps {
  readonly link: string;
  readonly label: string;
  /** Whom to send it to, and what the mail is about. */
  readonly mail?: { readonly to: string; readonly subject: string; readonly text: string };
}

/** An address may have characters that would begin another part of the link: RFC 6068 writes them with %, and keeps the @. */
function mailLink({ to, subject, text }: Required<LinkProps>['mail'], link: string): string {
  const address = to.split('@').map(encodeURIComponent).join('@');
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${text}\r\n\r\n${link}\r\n`)}`;
}

/** An address for somebody outside the office, to copy or to send. The service sends no mails. */
export function LinkToSend({ link, label, mail }: LinkProps) {
  const id = useId();
  return (
    <div class="field link-to-send">
      <label for={id}>{label}</label>
      <input id={id} type="text" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
      <p class="buttons">
        <CopyButton text={link} label="Copy" />
        {mail !== undefined && (
          <a class="button quiet small" href={mailLink(mail, link)}>
            Write a mail with it
          </a>
        )}
      </p>
    </div>
  );
}
