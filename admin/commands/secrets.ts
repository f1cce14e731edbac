import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type StageSecretName, stageSecrets } from '../../shared/domain/stage-secrets.ts';
import { isMoved, movedKeys, purposesOf } from '../../shared/platform/stage-keys.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { outputsOf } from '../connection.ts';
import { refusal } from '../failure.ts';

const outputs = { cursors: 'CursorSecretArn', links: 'LinkSecretArn', webhooks: 'WebhookSecretArn' } as const;

/** Moves the keys of a stage that was deployed when one secret had all of them. */
export function addSecretsCommands(program: Program, { runOnStage }: Cli): void {
  program
    .command('secrets')
    .description('Give each purpose (cursors, links, webhooks) its own secret.')
    .command('separate')
    .description(
      'Store the keys of the former secret in those of their purposes. The keys stay the same, so cursors, links, passes and webhook secrets stay valid. Repeated, it changes nothing.',
    )
    .addHelpText('after', example('secrets separate --stage prod'))
    .action(() =>
      runOnStage(async ({ stage, change, show }) => {
        const { FormerSecret } = await outputsOf(stage, 'service');
        if (FormerSecret !== 'read') throw notReading(stage);
        const state = await outputsOf(stage, 'state');
        const arnOf = (output: string): string => {
          const arn = state[output];
          if (arn !== undefined) return arn;
          throw refusal(
            'secret_missing',
            `Gateline-${stage}-state has no output ${output}. Deploy this release first.`,
          );
        };
        const former = await readText(arnOf('FormerSecretArn'));
        const moved: StageSecretName[] = [];
        for (const name of stageSecrets) {
          const arn = arnOf(outputs[name]);
          if (isMoved(await readText(arn))) continue;
          await change(() => storeText(arn, movedKeys(former, purposesOf[name])));
          moved.push(name);
        }
        const next = `Now set formerSecret of ${stage} to 'moved' in lib/stage-config.ts, commit it, and deploy: npm run deploy -- --stage ${stage}`;
        const done = moved.length === 0 ? 'Nothing changed.' : `${stage} has its own secret for ${moved.join(', ')}.`;
        show({ object: 'secrets', stage, moved, changed: moved.length > 0 }, `${done}\n\n${next}`);
      }),
    );
}

/** A stage whose functions use their own secrets would lose all of its links, cursors and webhook secrets. */
function notReading(stage: string): Error {
  return refusal(
    'former_secret_not_read',
    `The deployed functions of ${stage} do not read the former secret. A new stage has nothing to move; on one of an earlier release, set formerSecret to 'read' in lib/stage-config.ts and deploy first.`,
  );
}

async function readText(SecretId: string): Promise<string> {
  return withClient(async (client) => {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
    return SecretString;
  });
}

function storeText(SecretId: string, SecretString: string): Promise<unknown> {
  return withClient((client) => client.send(new PutSecretValueCommand({ SecretId, SecretString })));
}

async function withClient<Result>(use: (client: SecretsManagerClient) => Promise<Result>): Promise<Result> {
  const client = new SecretsManagerClient({});
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
