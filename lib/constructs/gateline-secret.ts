import type { Construct } from 'constructs';
import { StageSecret, type StageSecretProps } from './stage-secret.ts';

/** The secret of the stack. Data that is encrypted with it is unreadable without it. */
export class GatelineSecret extends StageSecret {
  constructor(scope: Construct, id: string, props: StageSecretProps) {
    super(scope, id, props, {
      description: 'seals list cursors, signs the links of tickets and encrypts the secrets of webhook endpoints',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      notRotated:
        'The secrets of webhook endpoints are encrypted with this value. Automatic rotation would make them unreadable.',
    });
  }
}
