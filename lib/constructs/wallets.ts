import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { WalletName } from '../../shared/domain/wallets/wallet.ts';
import { readSecret } from './gateline-function.ts';

const variables = { apple: 'APPLE_WALLET_SECRET', google: 'GOOGLE_WALLET_SECRET' } as const;

/** How functions reach what signs the passes of wallets. */
export class Wallets {
  readonly #arns: Readonly<Record<WalletName, string>>;

  constructor(arns: Readonly<Record<WalletName, string>>) {
    this.#arns = arns;
  }

  environment(used: readonly WalletName[]): Record<string, string> {
    return Object.fromEntries(used.map((name) => [variables[name], this.#arns[name]]));
  }

  grants(used: readonly WalletName[]): Record<string, PolicyStatement[]> {
    return used.length === 0 ? {} : { Wallets: used.map((name) => readSecret(this.#arns[name])) };
  }
}
