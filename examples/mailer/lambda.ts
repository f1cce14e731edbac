import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Gateline } from './gateline.ts';
import type { Mailer } from './mailer.ts';
import { newMailer } from './new-mailer.ts';
import { remind } from './remind.ts';
import { SesSender } from './send/ses.ts';
import { demanded, readSettings, setting } from './settings.ts';
import { DynamoStore } from './store/dynamo-store.ts';
import { topicOf } from './topic.ts';

/** What API Gateway, SQS and the two schedules send. */
interface Incoming {
  readonly rawPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly Records?: readonly { readonly body: string }[];
  readonly schedule?: 'sweep' | 'remind';
}

interface Parts {
  readonly mailer: Mailer;
  readonly gateline: Gateline;
  readonly topic: (body: string) => Promise<number>;
}

const sqs = new SQSClient({});
const secrets = new SecretsManagerClient({});
/** A secret that is replaced is known after this time; Gateline signs with the old one for a day. */
const keptMs = 5 * 60_000;
/** The longest delay of SQS. Whatever is due later is found by the sweep. */
const maxDelaySeconds = 900;
/** The function ends after 15 minutes, and a page takes some. */
const workMs = 5 * 60_000;

let parts: Promise<Parts> | undefined;
let keptUntilMs = 0;

async function readSecret(name: string): Promise<string> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: demanded(name) }));
  return SecretString;
}

async function load(): Promise<Parts> {
  const [keys, addressKey] = await Promise.all([readSecret('MAIL_SECRET'), readSecret('MAIL_ADDRESS_KEY')]);
  const secret: { apiKey: string; webhookSecrets: readonly string[] } = JSON.parse(keys);
  const settings = readSettings({ ...secret, addressKey });
  const store = new DynamoStore(demanded('MAIL_TABLE'));
  const mailer = newMailer(settings, { store, sender: new SesSender(setting('SES_CONFIGURATION_SET')) });
  const topic = topicOf(demanded('SNS_TOPIC_ARN'), mailer);
  return { mailer, topic, gateline: new Gateline(settings.apiUrl, settings.apiKey) };
}

function loaded(): Promise<Parts> {
  if (parts === undefined || Date.now() >= keptUntilMs) {
    parts = load();
    keptUntilMs = Date.now() + keptMs;
    parts.catch(() => {
      parts = undefined;
    });
  }
  return parts;
}

const enqueue = (event: string, delayMs = 0) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: demanded('MAIL_QUEUE'),
      MessageBody: event,
      DelaySeconds: Math.min(maxDelaySeconds, Math.max(0, Math.ceil(delayMs / 1000))),
    }),
  );

/** The one function: it answers webhooks and SNS, works on the queue, and looks for what is due. */
export async function handler(incoming: Incoming): Promise<object> {
  const { mailer, gateline, topic } = await loaded();
  for (const { body: event } of incoming.Records ?? []) {
    const dueMs = await mailer.work(event, Date.now() + workMs);
    if (dueMs !== undefined) await enqueue(event, dueMs - Date.now());
  }
  // The rows last, and the queue may lose everything: what is overdue is put into it again.
  if (incoming.schedule === 'sweep') for (const event of await mailer.due(100, 10 * 60_000)) await enqueue(event);
  if (incoming.schedule === 'remind') for (const event of await remind(gateline, mailer)) await enqueue(event);
  const { rawPath, headers = {}, body = '', isBase64Encoded = false } = incoming;
  if (rawPath === undefined) return {};
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  if (rawPath === '/sns') return { statusCode: await topic(text) };
  const { status, event } = await mailer.receive(headers, text);
  // Gateline sends again what is not acknowledged, so an event that was kept and not queued is queued then.
  if (event !== undefined) await enqueue(event);
  return { statusCode: status };
}
