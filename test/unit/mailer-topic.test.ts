import { createSign } from 'node:crypto';
import forge from 'node-forge';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { topicOf } from '../../examples/mailer/topic.ts';

const topicArn = 'arn:aws:sns:eu-central-1:111122223333:Reports';
const keys = forge.pki.rsa.generateKeyPair(2048);
const certificate = forge.pki.createCertificate();
certificate.publicKey = keys.publicKey;
certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
certificate.sign(keys.privateKey, forge.md.sha256.create());
const pem = forge.pki.certificateToPem(certificate);
const signingCertUrl = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem';

let suppressed: string[];
let reads: string[];
let receive: (body: string) => Promise<number>;
beforeEach(() => {
  suppressed = [];
  reads = [];
  const suppress = (address: string, reason: string) => Promise.resolve(void suppressed.push(`${address} ${reason}`));
  receive = topicOf(topicArn, { suppress }, (url) => Promise.resolve(reads.push(url) > 0 ? pem : ''));
});
afterEach(() => {
  suppressed = [];
});

/** A message as SNS signs it. */
function message(report: object, changes: Readonly<Record<string, string>> = {}, version = '2'): string {
  const fields: Record<string, string> = {
    Type: 'Notification',
    MessageId: '1',
    TopicArn: topicArn,
    Message: JSON.stringify(report),
    Timestamp: '2026-04-01T00:00:00.000Z',
    ...changes,
  };
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}\n${fields[name]}\n`)
    .join('');
  const sign = createSign(version === '2' ? 'RSA-SHA256' : 'RSA-SHA1').update(text);
  const Signature = sign.sign(forge.pki.privateKeyToPem(keys.privateKey), 'base64');
  return JSON.stringify({ ...fields, SignatureVersion: version, Signature, SigningCertURL: signingCertUrl });
}

const bounce = (bounceType: string) => ({
  eventType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress: 'gone@example.com' }] },
});
const complaint = { complaint: { complainedRecipients: [{ emailAddress: 'angry@example.com' }] } };

describe('what SES reports to the mailer by SNS', () => {
  it('addresses that do not exist and people who complain are noted; a full mailbox is not', async () => {
    for (const report of [bounce('Permanent'), bounce('Transient'), complaint])
      expect(await receive(message(report))).toBe(200);
    expect(await receive(message(complaint, { Subject: 'Amazon SES' }, '1'))).toBe(200);
    expect(suppressed).toEqual(['gone@example.com bounced', ...Array(2).fill('angry@example.com complained')]);
    expect(reads).toEqual([signingCertUrl]);
  });

  it('a message that was changed, of another topic, or with a certificate from elsewhere is refused', async () => {
    const good = message(complaint);
    expect(await receive(good.replace('angry@', 'happy@'))).toBe(403);
    expect(await receive(message(complaint, { TopicArn: `${topicArn}2` }))).toBe(403);
    expect(await receive(message(complaint, { Type: 'UnsubscribeConfirmation' }))).toBe(403);
    for (const url of [
      'https://sns.evil.example/a.pem',
      'http://sns.eu-central-1.amazonaws.com/a.pem',
      'https://sns.eu-central-1.amazonaws.com.evil.example/a.pem',
      'https://sns.s3.amazonaws.com/SimpleNotificationService-1.pem',
      'https://sns.s3-eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
      'https://sns.eu-central-1.amazonaws.com/?Action=ListTopics',
    ])
      expect(await receive(good.replace(signingCertUrl, url))).toBe(403);
    expect(suppressed).toEqual([]);
    expect(reads).toEqual([signingCertUrl]);
  });

  it('a subscription is confirmed at SNS and nowhere else', async () => {
    const confirm = (url: string) => message({}, { Type: 'SubscriptionConfirmation', SubscribeURL: url, Token: 'a' });
    const url = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription';
    expect(await receive(confirm(url))).toBe(200);
    for (const other of ['https://inside.example/', 'https://sns.s3.amazonaws.com/'])
      expect(await receive(confirm(other))).toBe(403);
    expect(reads).toEqual([signingCertUrl, url]);
  });
});
