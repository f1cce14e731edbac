import { PKPass } from 'passkit-generator';
import { cssColour, type Rgb, textColourOn } from '../domain/organisations/colour.ts';
import type { AppleAccount } from './apple-account.ts';
import type { MemberFacts } from './member-facts.ts';
import { passKeyOf } from './pass-fields.ts';
import { solidPng } from './solid-png.ts';
import type { TicketFacts } from './ticket-facts.ts';
import { writingIn } from './writing.ts';

/** How a device asks for changes of the pass. */
export interface PassUpdates {
  readonly serialNumber: string;
  /** Absent on a stage without a domain: its passes stay as they are until they are downloaded again. */
  readonly webService?: { readonly webServiceURL: string; readonly authenticationToken: string };
}

interface Field {
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

interface Content extends PassUpdates {
  readonly kind: 'eventTicket' | 'generic';
  readonly organisation: string;
  readonly colour: Rgb;
  readonly description: string;
  readonly primary: Field;
  readonly secondary: readonly Field[];
  readonly auxiliary: readonly Field[];
  /** Null for a pass that admits nobody any more. */
  readonly barcode: string | null;
  readonly relevantUnix?: number;
  readonly expiresUnix?: number;
}

/** The ticket as a signed Apple pass. Without a barcode it is void: its holder has given it away, or it was refunded. */
export function appleTicket(account: AppleAccount, facts: TicketFacts, updates: PassUpdates): Uint8Array {
  const { venue, holder } = facts;
  const { text } = writingIn(facts.locale);
  return signedPass(account, {
    ...updates,
    kind: 'eventTicket',
    organisation: facts.organisation,
    colour: facts.colour,
    description: text('passOfTicket', { event: facts.event }),
    primary: { key: 'event', label: text('event'), value: facts.event },
    secondary: [
      { key: 'starts', label: text('starts'), value: facts.starts },
      ...(venue === null ? [] : [{ key: 'venue', label: text('venue'), value: venue }]),
    ],
    auxiliary: [
      ...facts.place,
      ...(holder === null ? [] : [{ key: 'name', label: text('name'), value: holder }]),
      { key: 'ticket', label: text('ticket'), value: facts.price },
    ],
    barcode: facts.barcode,
    relevantUnix: facts.startUnix,
  });
}

/** The card of a member. Without a barcode it is void: the membership has ended or is not paid. */
export function appleMember(account: AppleAccount, facts: MemberFacts, updates: PassUpdates): Uint8Array {
  const { text } = writingIn(facts.locale);
  return signedPass(account, {
    ...updates,
    kind: 'generic',
    organisation: facts.organisation,
    colour: facts.colour,
    description: text('passOfMember', { membership: facts.membership }),
    primary: { key: 'name', label: text('member'), value: facts.name },
    secondary: [{ key: 'membership', label: text('membership'), value: facts.membership }],
    auxiliary: facts.details.map(({ key, ...shown }) => ({ key: passKeyOf(key), ...shown })),
    barcode: facts.barcode,
    ...(facts.expiresUnix !== null && { expiresUnix: facts.expiresUnix }),
  });
}

/** The size of the icon in points. Devices have screens of one to three pixels for a point. */
const iconPoints = 29;

function signedPass(account: AppleAccount, content: Content): Uint8Array {
  const { kind, colour, serialNumber, webService } = content;
  const icon = (scale: number): Buffer => Buffer.from(solidPng(scale * iconPoints, colour));
  const text = cssColour(textColourOn(colour));
  const pass = new PKPass(
    { 'icon.png': icon(1), 'icon@2x.png': icon(2), 'icon@3x.png': icon(3) },
    { wwdr: account.authority, signerCert: account.certificate, signerKey: account.private_key },
    {
      passTypeIdentifier: account.pass_type_id,
      teamIdentifier: account.team_id,
      organizationName: content.organisation,
      logoText: content.organisation,
      description: content.description,
      backgroundColor: cssColour(colour),
      foregroundColor: text,
      labelColor: text,
      serialNumber,
      ...webService,
      ...(content.barcode === null && { voided: true }),
      ...(content.expiresUnix !== undefined && { expirationDate: isoDate(content.expiresUnix) }),
    },
  );
  pass.type = kind;
  pass.primaryFields.push(content.primary);
  pass.secondaryFields.push(...content.secondary);
  pass.auxiliaryFields.push(...content.auxiliary);
  if (content.relevantUnix !== undefined) pass.setRelevantDate(new Date(content.relevantUnix * 1000));
  if (content.barcode !== null) {
    const message = content.barcode;
    pass.setBarcodes({ message, format: 'PKBarcodeFormatQR', messageEncoding: 'utf-8', altText: message });
  }
  return pass.getAsBuffer();
}

const isoDate = (unix: number): string => new Date(unix * 1000).toISOString();
