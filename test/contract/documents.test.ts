import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Basket } from '../../shared/operations/schemas/basket.ts';
import { CheckoutOrder } from '../../shared/operations/schemas/checkout.ts';
import { givenOnSale } from '../support/baskets.ts';
import { codeBlock, hasCurl, runShell, runTypeScript } from '../support/documents.ts';
import { type Service, startService } from '../support/service.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';
import { verifySignature } from '../support/webhooks/verify-signature.ts';

const orgId = 'org_documents';
let service: Service;
let variables: { KEY: string };

beforeAll(async () => {
  service = await startService([orgId]);
  variables = { KEY: await service.newKey(orgId) };
});
afterAll(() => service.stop());

const here = (code: string): string =>
  code.replaceAll('http://127.0.0.1:3000', service.cloud.url).replaceAll('org_harbourfc', orgId);

/** The README's purchase with a key of this service: the file with the demo keys belongs to `npm start`. */
const purchase = (): string =>
  here(codeBlock('README.md', 'sh', '/baskets -d org=')).replace(/^AUTH=.*$/m, 'AUTH="Authorization: Bearer $KEY"');

describe('examples in docs/api-rules.md', () => {
  it('the TypeScript example sells tickets', async () => {
    const { price } = await givenOnSale(service.table, orgId);
    const sample = here(codeBlock('docs/api-rules.md', 'ts', "call('/baskets'"));
    const printed = await runTypeScript(`${sample}\nconsole.log(JSON.stringify(order));`, {
      ...variables,
      PRICE_ID: String(price.priceId),
    });
    expect(v.parse(CheckoutOrder, JSON.parse(printed))).toMatchObject({ status: 'confirmed', tickets: { length: 2 } });
  });
});

describe.skipIf(!hasCurl)('examples in README.md and docs/integrations.md', () => {
  it('the curl example sells tickets', async () => {
    await givenOnSale(service.table, orgId);
    const printed = await runShell(purchase(), variables);
    // The script prints the basket with its items, then the order.
    const [basket, order] = printed.split(/(?<=\})(?=\{"id")/).map((text) => JSON.parse(text));
    expect(v.parse(Basket, basket)).toMatchObject({ status: 'open', items: { length: 1 } });
    expect(v.parse(CheckoutOrder, order)).toMatchObject({ status: 'confirmed', tickets: { length: 2 } });
  });

  it('the webhook example registers an endpoint and receives a signed test event', async () => {
    const receiver = await startReceiver();
    const [preparation = ''] = purchase().split('\n\n');
    // The receiver of this test takes the place of `npm run receiver`, for which the script waits.
    const registration = here(codeBlock('docs/integrations.md', 'sh', 'npm run receiver'))
      .replace('http://127.0.0.1:4000/', receiver.url)
      .replace(/^.*npm run receiver &\nsleep \d+$/m, 'echo "$ENDPOINT" | pick secret');
    try {
      const [secret = ''] = (await runShell(`${preparation}\n${registration}`, variables)).split('\n');
      // The event of the order before may arrive too.
      const testEvent = () => receiver.arrivals.find(({ body }) => body.includes('webhook.test'));
      await expect.poll(testEvent, { timeout: 50_000 }).toBeDefined();
      const arrival = testEvent() ?? { body: '', headers: {} };
      expect(verifySignature(arrival, secret)).toMatchObject({
        type: 'webhook.test',
        org_id: orgId,
      });
    } finally {
      await receiver.stop();
    }
  });
});
