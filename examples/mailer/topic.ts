import { createVerify } from 'node:crypto';
import type { Mailer } from './mailer.ts';
import type { Suppressed } from './mails/mark-customer.ts';

/** A message of Amazon SNS, as it arrives over HTTPS. */
interface Message {
  readonly Type: string;
  readonly MessageId: string;
  readonly TopicArn: string;
  readonly Timestamp: string;
  readonly Message: string;
  readonly Subject?: string;
  readonly Token?: string;
  readonly SubscribeURL?: string;
  readonly SignatureVersion: string;
  readonly Signature: string;
  readonly SigningCertURL: string;
}

/** What SES says of a mail, in the message: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
interface Report {
  readonly eventType?: string;
  readonly bounce?: {
    readonly bounceType: string;
    readonly bouncedRecipients: readonly { readonly emailAddress: string }[];
  };
  readonly complaint?: { readonly complainedRecipients: readonly { readonly emailAddress: string }[] };
}

type Read = (url: string) => Promise<string>;

const readUrl: Read = async (url) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'error' });
  if (!response.ok) throw new Error(`SNS answered ${response.status}.`);
  return response.text();
};

/**
 * Where SNS is that has the topic: only there a certificate is read and a subscription is confirmed. Names that only look like it, such as
 * sns.s3.amazonaws.com, can belong to a bucket of anybody.
 */
function addressOfSns(topicArn: string): string {
  const [, partition = '', , region = ''] = topicArn.split(':');
  return `https://sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}/`;
}

const signedFields: Readonly<Record<string, readonly (keyof Message)[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** Receives what SES reports by SNS: addresses that do not exist, and people who complain, get no mail any more. Returns the status. */
export function topicOf(topicArn: string, mailer: Pick<Mailer, 'suppress'>, read: Read = readUrl) {
  const certificates = new Map<string, Promise<string>>();
  const sns = addressOfSns(topicArn);
  /** Its other addresses answer what the caller has asked, so a certificate has a name that only SNS gives. */
  const isCertificate = (url: string): boolean =>
    url.startsWith(sns) && /^SimpleNotificationService-\w+\.pem$/.test(url.slice(sns.length));

  async function isSigned(message: Message): Promise<boolean> {
    const fields = signedFields[message.Type];
    if (fields === undefined || message.TopicArn !== topicArn || !isCertificate(message.SigningCertURL)) return false;
    const certificate = certificates.get(message.SigningCertURL) ?? read(message.SigningCertURL);
    certificates.set(message.SigningCertURL, certificate);
    certificate.catch(() => certificates.delete(message.SigningCertURL));
    const text = fields
      .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
      .join('');
    const verify = createVerify(message.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1').update(text, 'utf8');
    return verify.verify(await certificate, message.Signature, 'base64');
  }

  return async (body: string): Promise<number> => {
    const message: Message = JSON.parse(body);
    if (!(await isSigned(message))) return 403;
    if (message.Type === 'SubscriptionConfirmation') {
      if (message.SubscribeURL?.startsWith(sns) !== true) return 403;
      await read(message.SubscribeURL);
      return 200;
    }
    for (const [address, reason] of gone(JSON.parse(message.Message))) await mailer.suppress(address, reason);
    return 200;
  };
}

/** A full mailbox is no reason: SES tries those again itself. */
function gone({ bounce, complaint }: Report): readonly (readonly [address: string, reason: Suppressed['reason']])[] {
  const bounced = bounce?.bounceType === 'Permanent' ? bounce.bouncedRecipients : [];
  return [
    ...bounced.map(({ emailAddress }) => [emailAddress, 'bounced'] as const),
    ...(complaint?.complainedRecipients ?? []).map(({ emailAddress }) => [emailAddress, 'complained'] as const),
  ];
}
