import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, vi } from 'vitest';
import { listen } from '../../local/cloud/http/listen.ts';

const Asked = v.pipe(v.string(), v.parseJson(), v.object({ SecretId: v.string() }));

/**
 * The secret of the stack, for the tests of a file, and the accounts of wallets, which are not configured by default. Lists sign
 * their cursors with a key that is derived from it.
 */
export async function givenStackSecret(wallets: Readonly<Record<string, object>> = {}): Promise<void> {
  const secrets = createServer(async (request, response) => {
    const { SecretId } = v.parse(Asked, await text(request));
    const account = wallets[SecretId];
    response.end(JSON.stringify({ SecretString: account === undefined ? 'of this test' : JSON.stringify(account) }));
  });
  const port = await listen(secrets, 0);
  for (const name of ['CURSOR_SECRET', 'LINK_SECRET', 'WEBHOOK_SECRET'])
    vi.stubEnv(name, 'arn:aws:secretsmanager:us-east-1:1:secret:test');
  vi.stubEnv('FORMER_SECRET', 'none');
  vi.stubEnv('APPLE_WALLET_SECRET', 'apple');
  vi.stubEnv('GOOGLE_WALLET_SECRET', 'google');
  vi.stubEnv('API_ADDRESS', 'https://api.example.com');
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'us-east-1');
  afterAll(() => {
    vi.unstubAllEnvs();
    secrets.close();
  });
}
