import { useState } from 'preact/hooks';
import { messageOf } from '../state/messages.ts';
import { answerOf, send } from '../state/request.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { WhenLoaded } from './notice.tsx';

interface TicketDocumentsProps {
  readonly ticketId: number;
  /** Such as "ticket 1 of 2": a screen reader lists links without what is around them. */
  readonly name: string;
  /** The `link` of the ticket: the address of its page, with a token that also reaches its documents. */
  readonly loadLink: () => Promise<string | null>;
}

/** The ticket as a PDF and for the wallets of phones. */
export function TicketDocuments({ ticketId, name, loadLink }: TicketDocumentsProps) {
  const loaded = useLoaded(loadLink, [ticketId]);
  return (
    <WhenLoaded of={loaded} what="the documents">
      {(link) => (link === null ? null : <Documents link={link} name={name} />)}
    </WhenLoaded>
  );
}

/** The documents are beside the page, and take the same token. */
const documentOf = (link: string, name: string): string => link.replace('/page?', `/${name}?`);

const OfTicket = ({ name }: { readonly name: string }) => <span class="visually-hidden"> of {name}</span>;

function Documents({ link, name }: { readonly link: string; readonly name: string }) {
  const [problem, setProblem] = useState<string>();

  async function addToGoogle(): Promise<void> {
    try {
      const response = await send(documentOf(link, 'google_pass'), {});
      location.assign((await answerOf<{ readonly save_url: string }>(response)).save_url);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <>
      <p class="buttons">
        <a class="button quiet small" href={documentOf(link, 'pdf')}>
          PDF
          <OfTicket name={name} />
        </a>
        <a class="button quiet small" href={documentOf(link, 'apple_pass')}>
          Apple Wallet
          <OfTicket name={name} />
        </a>
        <button type="button" class="button quiet small" onClick={() => void addToGoogle()}>
          Google Wallet
          <OfTicket name={name} />
        </button>
      </p>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </>
  );
}
