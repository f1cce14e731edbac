import { answerOf, send } from '../state/request.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ActionButton } from './action-button.tsx';
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
  async function addToGoogle(): Promise<void> {
    const response = await send(documentOf(link, 'google_pass'), {});
    location.assign((await answerOf<{ readonly save_url: string }>(response)).save_url);
  }

  return (
    <div class="buttons">
      <a class="button quiet small" href={documentOf(link, 'pdf')}>
        PDF
        <OfTicket name={name} />
      </a>
      <a class="button quiet small" href={documentOf(link, 'apple_pass')}>
        Apple Wallet
        <OfTicket name={name} />
      </a>
      <ActionButton act={addToGoogle}>
        Google Wallet
        <OfTicket name={name} />
      </ActionButton>
    </div>
  );
}
