import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { WalletName } from '../../shared/domain/wallets/wallet.ts';
import { readSecret } from './gateline-function.ts';
import { StageSecret, type StageSecretProps } from './stage-secret.ts';

/** The operator stores Apple's certificate and its key here. Until then there are no Apple passes. */
export class AppleWalletSecret extends StageSecret {
  constructor(scope: Construct, id: string, props: StageSecretProps) {
    super(scope, id, props, {
      description: 'certificate and private key that sign Apple passes. `npm run admin -- wallet apple` stores them.',
      notRotated:
        'Apple issues the certificate for a year. An operator renews it, and an alarm asks for it 60 days before.',
    });
  }
}

/** The operator stores the key of Google's service account here. Until then there are no Google passes. */
export class GoogleWalletSecret extends StageSecret {
  constructor(scope: Construct, id: string, props: StageSecretProps) {
    super(scope, id, props, {
      description: 'key of the service account that signs Google passes. `npm run admin -- wallet google` stores it.',
      notRotated: 'Google issues the key. An operator makes another one there and stores it here.',
    });
  }
}

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
