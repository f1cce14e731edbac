import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testAppleAccount, testGoogleAccount } from '../../local/run/local-wallets.ts';

type Admin = (name: string, args: readonly string[]) => Promise<string>;

/** Stores what signs passes, as an operator does with the files of Apple and Google. Without it a stage makes no passes. */
export async function storeWallets(admin: Admin, folder: string): Promise<void> {
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const apple = testAppleAccount();
  await admin('wallet-apple', [
    ...['wallet', 'apple', '--yes', '--certificate', file('pass.pem', apple.certificate)],
    ...['--key', file('pass.key', apple.private_key), '--authority', file('authority.pem', apple.authority)],
  ]);
  const { issuer_id, ...google } = testGoogleAccount();
  const key = file('google.json', JSON.stringify({ type: 'service_account', ...google }));
  await admin('wallet-google', ['wallet', 'google', '--yes', '--service-account', key, '--issuer', issuer_id]);
}
