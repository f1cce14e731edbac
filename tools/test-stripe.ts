/** `npm run test:stripe`: sends every call to stripe-mock, which validates it against Stripe's published OpenAPI description. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../local/cloud/http/listen.ts';
import { chargeOwnerOfBasket } from '../shared/domain/payments/charge-key.ts';
import { stripeProvider } from '../shared/payments/stripe.ts';
import { openStripeClient } from '../shared/payments/stripe-client.ts';

const version = 'v0.203.0';
const folder = fileURLToPath(new URL('../.local/stripe-mock', import.meta.url));

function install(): boolean {
  if (spawnSync('go', ['version']).status !== 0) return false;
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync('go', ['install', `github.com/stripe/stripe-mock@${version}`], {
    env: { ...process.env, GOBIN: folder },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`stripe-mock could not be installed: ${stderr}`);
  return true;
}

async function callEverything(port: number): Promise<void> {
  const client = await openStripeClient('sk_test_123', { host: '127.0.0.1', port, protocol: 'http' });
  const provider = stripeProvider(client, 'pk_test_123');
  const { signal } = new AbortController();
  const charge = {
    orgId: 'org_1',
    account: 'acct_1',
    key: '64-1',
    owner: chargeOwnerOfBasket({ basketId: 64 }),
    amountMinor: 6_430,
    currency: 'AUD',
    returnUrl: 'https://shop.example.com/paid',
    presentation: { statementDescriptor: 'HARBOUR FC', receiptEmail: 'ada@example.com' },
    customer: null,
    savesMethod: false,
  };
  const known = { ...charge, chargeId: 'pi_1' };
  // stripe-mock knows no state: it returns an example for each valid call, and refuses an invalid one.
  const accept = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    const answer = JSON.stringify(await call().catch((error: unknown) => ({ outcome: String(error) })));
    const isInvalid = /invalid|"outcome":"refused"|method_unknown/.test(answer);
    process.stdout.write(`${isInvalid ? 'refused ' : 'accepted'} ${name}${isInvalid ? `: ${answer}` : ''}\n`);
    if (isInvalid) process.exitCode = 1;
  };
  await accept('prepare, the buyer chooses the method', () =>
    provider.prepare({ ...charge, paymentMethod: null }, signal),
  );
  await accept('prepare with a method', () => provider.prepare({ ...charge, paymentMethod: 'pm_card_visa' }, signal));
  const saved = { ...charge, customer: 'cus_1', savesMethod: true };
  await accept('customer', () => provider.createCustomer({ ...charge, key: '64-customer' }, signal));
  await accept('prepare on a page, and save the method', () =>
    provider.prepare({ ...saved, paymentMethod: null }, signal),
  );
  await accept('prepare with a method, and save it', () =>
    provider.prepare({ ...saved, paymentMethod: 'pm_card_visa' }, signal),
  );
  await accept('prepare with a saved method', () =>
    provider.prepare({ ...saved, savesMethod: false, paymentMethod: 'pm_card_visa' }, signal),
  );
  const toSave = { ...saved, customer: 'cus_1', key: 'renewal-64-setup-1' };
  await accept('save a method on a page', () => provider.setUp({ ...toSave, paymentMethod: null }, signal));
  await accept('save a method', () => provider.setUp({ ...toSave, paymentMethod: 'pm_card_visa' }, signal));
  await accept('retrieve what saves a method', () => provider.retrieveSetup({ ...known, setupId: 'seti_1' }, signal));
  await accept('describe a saved card', () =>
    provider.describeCard({ account: known.account, paymentMethod: 'pm_card_visa' }, signal),
  );
  await accept('confirm without the buyer', () => provider.confirm({ ...known, offSession: true }, signal));
  await accept('confirm', () => provider.confirm(known, signal));
  await accept('retrieve', () => provider.retrieve(known, signal));
  await accept('cancel', () => provider.cancel(known, signal));
  await accept('refund', () =>
    provider.refund(known, { key: '64-refund-1', amountMinor: 100, currency: 'AUD' }, signal),
  );
}

if (install()) {
  const port = await freePort();
  const mock = spawn(join(folder, 'stripe-mock'), ['-http-port', String(port)], { stdio: 'ignore' });
  try {
    await sleep(3_000);
    await callEverything(port);
  } finally {
    mock.kill();
  }
} else {
  process.stdout.write('Skipped: Go is not installed, and stripe-mock needs it.\n');
}
