import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, vi } from 'vitest';

/** The secret of the stack, for the tests of a file. Lists sign their cursors with a key that is derived from it. */
export async function givenStackSecret(): Promise<void> {
  const secrets = createServer((_request, response) => response.end(JSON.stringify({ SecretString: 'of this test' })));
  await new Promise<void>((resolve) => secrets.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('SECRET_ARN', 'arn:aws:secretsmanager:us-east-1:1:secret:test');
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'us-east-1');
  afterAll(() => {
    vi.unstubAllEnvs();
    secrets.close();
  });
}
