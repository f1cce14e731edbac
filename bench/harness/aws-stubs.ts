import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What functions talk to beside the table, as little of it as they need: the secret, and queues that take everything. */
export interface Neighbours {
  /** How many messages were sent to queues so far. */
  messages(): number;
  stop(): void;
}

/** Starts them and points this process's SDK clients to them. The secret and the queues cost no table, so they are stand-ins. */
export async function startNeighbours(): Promise<Neighbours> {
  let messages = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const input: { Entries?: { Id: string; MessageBody: string }[] } = JSON.parse(
      Buffer.concat(chunks).toString('utf8') || '{}',
    );
    const { Entries = [] } = input;
    messages += Entries.length;
    const isSecret = String(request.headers['x-amz-target']).endsWith('GetSecretValue');
    const answer = isSecret
      ? { ARN: 'bench', Name: 'bench', SecretString: 'a secret that the benchmark keeps from nobody' }
      : { Successful: Entries.map(taken), Failed: [] };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    AWS_ENDPOINT_URL_SQS: url,
    SECRET_ARN: 'bench',
    DELIVERIES_URL: `${url}/deliveries`,
    RETRIES_URL: `${url}/retries`,
    BACKLOGS_URL: `${url}/backlogs`,
    LOOPBACK_RECEIVERS: 'allowed',
    PAYMENTS: 'sandbox',
  });
  return {
    messages: () => messages,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The SDK checks by the hash that the queue got what was sent. */
function taken({ Id, MessageBody }: { Id: string; MessageBody: string }) {
  return { Id, MessageId: Id, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
}
