import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../../local/cloud/http/listen.ts';
import { testAppleAccount, testGoogleAccount } from '../../local/run/local-wallets.ts';

/** Secrets Manager with the secrets of the stack and of both wallets, and SQS queues that accept every message. */
export interface AwsStubs {
  /** The number of messages sent to queues so far. */
  messages(): number;
  stop(): void;
}

/** Starts the stubs and points this process's SDK clients to them. The benchmark measures the table, so stubs are enough here. */
export async function startAwsStubs(): Promise<AwsStubs> {
  let messages = 0;
  const wallets: Readonly<Record<string, string>> = {
    apple: JSON.stringify(testAppleAccount()),
    google: JSON.stringify(testGoogleAccount()),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const input: { SecretId?: string; Entries?: { Id: string; MessageBody: string }[] } = JSON.parse(
      Buffer.concat(chunks).toString('utf8') || '{}',
    );
    const { SecretId = '', Entries = [] } = input;
    messages += Entries.length;
    const isSecret = String(request.headers['x-amz-target']).endsWith('GetSecretValue');
    const result = isSecret
      ? { ARN: 'bench', Name: 'bench', SecretString: wallets[SecretId] ?? 'a secret of the benchmark' }
      : { Successful: Entries.map(sqsResult), Failed: [] };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(result));
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    AWS_ENDPOINT_URL_SQS: url,
    CURSOR_SECRET: 'bench',
    LINK_SECRET: 'bench',
    WEBHOOK_SECRET: 'bench',
    FORMER_SECRET: 'none',
    APPLE_WALLET_SECRET: 'apple',
    GOOGLE_WALLET_SECRET: 'google',
    DELIVERIES_URL: `${url}/deliveries`,
    RETRIES_URL: `${url}/retries`,
    BACKLOGS_URL: `${url}/backlogs`,
    LOOPBACK_RECEIVERS: 'allowed',
    PAYMENTS: 'sandbox',
    API_ADDRESS: 'https://api.example.com',
  });
  return {
    messages: () => messages,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The SDK compares the hash with that of the message it sent. */
function sqsResult({ Id, MessageBody }: { Id: string; MessageBody: string }) {
  return { Id, MessageId: Id, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
}
