import { newPrivateKey, signerOf } from '../../shared/http/auth/sign-token.ts';
import { signerId } from '../../shared/http/auth/signed-token.ts';
import { type ArgumentType, as } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { keptKeyOf } from '../connection.ts';
import { refusal } from '../failure.ts';
import { alignColumns } from '../output/text.ts';
import { readPublicKeys, writePublicKeys } from '../signing-keys-file.ts';
import { readSigners, writeSigners } from '../signing-secret.ts';

/**
 * The private keys are in a secret of the stage, the public ones in lib/signing-keys.json. A command that is interrupted
 * between the two completes when it is repeated.
 */
export function addSigningKeyCommands(program: Program, { runOnStage }: Cli): void {
  const group = program
    .command('signing-key')
    .description('Create, rotate and retire the key with which this program signs API keys and gate tokens.');

  group
    .command('create')
    .description(
      'Create the signing key of a stage, once, before its first deployment. Repeated, it changes nothing. A stage without a table keeps no record of it in changes: CloudTrail has it.',
    )
    .addHelpText('after', example('signing-key create --stage dev'))
    .action(() =>
      runOnStage(async ({ stage, publicKeysFile, change, show }) => {
        let signers = await readSigners(stage);
        const listed = readPublicKeys(publicKeysFile, stage);
        const isStored = signers.some(({ publicKey }) => listed.includes(publicKey));
        if (listed.length > 0 && !isStored) throw secretMissing(stage);
        if (signers.length === 0) {
          const privateKey = newPrivateKey();
          const keyArn = await keptKeyOf(stage);
          await change(() => writeSigners(stage, [privateKey], { exists: false, keyArn }));
          signers = [{ ...signerOf(privateKey), privateKey }];
        }
        const changed = listed.length === 0;
        const publicKeys = changed ? signers.map(({ publicKey }) => publicKey) : listed;
        if (changed) await change(() => writePublicKeys(publicKeysFile, stage, publicKeys));
        show(documentOf(stage, publicKeys, changed), textOf(stage, publicKeys, changed));
      }),
    );

  group
    .command('rotate')
    .description('Add a new signing key. After the next deployment it signs all new keys; the old one stays valid.')
    .addHelpText('after', example('signing-key rotate --stage prod'))
    .action(() =>
      runOnStage(async ({ stage, publicKeysFile, change, show }) => {
        const signers = await readSigners(stage);
        if (signers.length === 0) throw notCreated(stage);
        const listed = readPublicKeys(publicKeysFile, stage);
        const unlisted = signers.filter(({ publicKey }) => !listed.includes(publicKey));
        // An interrupted rotation has stored its key and not listed it.
        const privateKeys = unlisted.length > 0 ? [] : [newPrivateKey()];
        if (privateKeys.length > 0) {
          const kept = signers.map(({ privateKey }) => privateKey);
          const keyArn = await keptKeyOf(stage);
          await change(() => writeSigners(stage, [...kept, ...privateKeys], { exists: true, keyArn }));
        }
        const added = [...unlisted, ...privateKeys.map(signerOf)].map(({ publicKey }) => publicKey);
        const publicKeys = [...listed, ...added];
        await change(() => writePublicKeys(publicKeysFile, stage, publicKeys));
        show(documentOf(stage, publicKeys, true), textOf(stage, publicKeys, true));
      }),
    );

  withYes(group.command('retire'))
    .description('Remove an old signing key. After the next deployment all keys that it has signed are refused.')
    .argument('<signer_id>', 'The id of the signing key, as key list --json shows it (signer).', as(signer))
    .addHelpText('after', example('signing-key retire 4fTq --stage prod --yes'))
    .action((id, { yes }) =>
      runOnStage(async ({ stage, publicKeysFile, change, show }) => {
        const signers = await readSigners(stage);
        if (signers.length === 0) throw notCreated(stage);
        if (signers.at(-1)?.id === id) {
          throw refusal('newest_signing_key', `${id} is the newest signing key of ${stage}. Rotate and deploy first.`);
        }
        confirm(yes, `After the next deployment of ${stage}, all keys that ${id} has signed would be refused.`);
        const kept = signers.filter((each) => each.id !== id);
        const listed = readPublicKeys(publicKeysFile, stage);
        const publicKeys = listed.filter((each) => signerId(each) !== id);
        const changed = kept.length < signers.length || publicKeys.length < listed.length;
        if (kept.length < signers.length) {
          const privateKeys = kept.map(({ privateKey }) => privateKey);
          const keyArn = await keptKeyOf(stage);
          await change(() => writeSigners(stage, privateKeys, { exists: true, keyArn }));
        }
        if (publicKeys.length < listed.length) {
          await change(() => writePublicKeys(publicKeysFile, stage, publicKeys));
        }
        show(documentOf(stage, publicKeys, changed), textOf(stage, publicKeys, changed));
      }),
    );
}

const signer: ArgumentType<string> = {
  allowed: 'four letters and digits',
  parse: (text) => (/^[0-9A-Za-z]{4}$/.test(text) ? text : undefined),
};

function documentOf(stage: string, publicKeys: readonly string[], changed: boolean) {
  const data = publicKeys.map((publicKey) => ({ signer: signerId(publicKey), public_key: publicKey }));
  return { object: 'signing_keys', stage, data, changed };
}

function textOf(stage: string, publicKeys: readonly string[], changed: boolean): string {
  const rows = publicKeys.map((publicKey) => [signerId(publicKey), publicKey]);
  const next = changed
    ? `Commit lib/signing-keys.json, then deploy: npm run deploy -- --stage ${stage}`
    : 'Nothing changed.';
  return `${alignColumns([['SIGNER', 'PUBLIC KEY'], ...rows])}\n\n${next}`;
}

function notCreated(stage: string): Error {
  return refusal('signing_key_missing', `${stage} has no signing key. Create it: signing-key create --stage ${stage}`);
}

function secretMissing(stage: string): Error {
  return refusal(
    'signing_secret_missing',
    `lib/signing-keys.json lists a signing key of ${stage}, but the secret gateline/${stage}/signing-key is not in this account and region. Use the right credentials, or remove the entry to start with a new key: all keys that the old one has signed are then refused.`,
  );
}
