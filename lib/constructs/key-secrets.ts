import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StageSecretName } from '../../shared/domain/stage-secrets.ts';
import { readSecret } from './gateline-function.ts';

const variables = { cursors: 'CURSOR_SECRET', links: 'LINK_SECRET', webhooks: 'WEBHOOK_SECRET' } as const;

interface SecretArns extends Readonly<Record<StageSecretName, string>> {
  /** The secret of all purposes, on a stage that still reads it; undefined on all others. */
  readonly former: string | undefined;
}

/** How functions reach the secrets that their keys are derived from: each its own, and nothing else. */
export class KeySecrets {
  readonly #arns: SecretArns;

  constructor(arns: SecretArns) {
    this.#arns = arns;
  }

  environment(used: readonly StageSecretName[]): Record<string, string> {
    if (used.length === 0) return {};
    const own = used.map((name) => [variables[name], this.#arns[name]]);
    return { ...Object.fromEntries(own), FORMER_SECRET: this.#arns.former ?? 'none' };
  }

  /** The policy of the former secret has the name that it had when all functions read it, so the release before can return. */
  grants(used: readonly StageSecretName[]): Record<string, PolicyStatement[]> {
    if (used.length === 0) return {};
    const { former } = this.#arns;
    const own = { Keys: used.map((name) => readSecret(this.#arns[name])) };
    return former === undefined ? own : { ...own, Secret: [readSecret(former)] };
  }

  /** The last release that reads the former secret needs no grant for it after a rollback: by then, its own secret has the keys. */
  retiredGrants(used: readonly StageSecretName[]): string[] {
    return used.length > 0 && this.#arns.former !== undefined ? ['Secret: secretsmanager:GetSecretValue'] : [];
  }
}
